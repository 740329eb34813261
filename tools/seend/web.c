// SPDX-License-Identifier: GPL-2.0
#include <curl/curl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "web.h"
#include "web_file.h"

#define TAG_ROOM	256
/* Seconds that a file may take. */
#define TIMEOUT		300L

/**
 * struct web_fetch - a file that is being fetched
 * @curl: the transfer
 * @bytes: what has arrived
 * @len: of @bytes
 * @limit: no more is accepted
 * @sequence: of the last file that was loaded
 * @tag: its ETag, or ""
 * @new_tag: ETag of this file, or ""
 */
struct web_fetch {
	CURL *curl;
	uint8_t *bytes;
	size_t len;
	size_t limit;
	uint64_t sequence;
	char tag[TAG_ROOM];
	char new_tag[TAG_ROOM];
};

static int web_say(const char *error)
{
	fprintf(stderr, "seend: %s\n", error);
	return 1;
}

int web_publish(const char *config, const char *group, const char *folder)
{
	char path[PATH_MAX];
	struct web *web = calloc(1, sizeof(*web));
	int failed;

	if (!web)
		return web_say("no memory");
	snprintf(path, sizeof(path), "%.3800s/%.200s.seen", folder, group);
	failed = web_open(web, config, group) || web_write(web, path);
	if (failed)
		web_say(web->error);
	web_close(web);
	free(web);
	return failed;
}

static size_t web_arrived(char *data, size_t size, size_t count, void *context)
{
	struct web_fetch *fetch = context;
	uint8_t *bytes;

	(void)size;
	if (count > fetch->limit - fetch->len)
		return 0;
	bytes = realloc(fetch->bytes, fetch->len + count + 1);
	if (!bytes)
		return 0;
	memcpy(bytes + fetch->len, data, count);
	fetch->bytes = bytes;
	fetch->len += count;
	return count;
}

static size_t web_header(char *data, size_t size, size_t count, void *context)
{
	struct web_fetch *fetch = context;
	char line[TAG_ROOM + 8];

	(void)size;
	if (count >= sizeof(line))
		return count;
	memcpy(line, data, count);
	line[count] = '\0';
	if (!strncasecmp(line, "etag:", 5))
		snprintf(fetch->new_tag, sizeof(fetch->new_tag), "%.*s",
			 (int)strcspn(line + 5 + strspn(line + 5, " "), "\r\n"),
			 line + 5 + strspn(line + 5, " "));
	return count;
}

/*
 * The last file: a line with its sequence and the filter's identity, a line with its tag. A filter
 * that has lost its keys needs the file again.
 */
static void web_recall(const char *path, uint64_t identity, struct web_fetch *fetch)
{
	FILE *file = fopen(path, "re");
	uint64_t sequence, loaded;
	char tag[TAG_ROOM];

	if (!file)
		return;
	if (fscanf(file, "%" SCNu64 " %" SCNu64 "\n", &sequence, &loaded) == 2 &&
	    fgets(tag, sizeof(tag), file) && loaded == identity) {
		tag[strcspn(tag, "\n")] = '\0';
		strcpy(fetch->tag, tag);
		fetch->sequence = sequence;
	}
	fclose(file);
}

/* Without this the file would be loaded again, which changes nothing. */
static void web_remember(const char *path, uint64_t identity, const struct web_fetch *fetch)
{
	char temporary[PATH_MAX];
	FILE *file;
	bool failed;

	snprintf(temporary, sizeof(temporary), "%.4000s.new", path);
	file = fopen(temporary, "we");
	if (!file) {
		perror(temporary);
		return;
	}
	fprintf(file, "%" PRIu64 " %" PRIu64 "\n%s\n", fetch->sequence, identity,
		fetch->new_tag);
	failed = fflush(file) || ferror(file) || fsync(fileno(file));
	fclose(file);
	if (failed || rename(temporary, path))
		perror(path);
}

/* Fetch the file; *@status: of HTTP. Returns NULL, or the reason of a failure. */
static const char *web_get(struct web_fetch *fetch, const char *url, long *status)
{
	char condition[TAG_ROOM + 32];
	struct curl_slist *headers = NULL;
	CURLcode code;

	snprintf(condition, sizeof(condition), "If-None-Match: %s", fetch->tag);
	if (*fetch->tag)
		headers = curl_slist_append(NULL, condition);
	curl_easy_setopt(fetch->curl, CURLOPT_URL, url);
	curl_easy_setopt(fetch->curl, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(fetch->curl, CURLOPT_FOLLOWLOCATION, 1L);
	curl_easy_setopt(fetch->curl, CURLOPT_TIMEOUT, TIMEOUT);
	curl_easy_setopt(fetch->curl, CURLOPT_HTTPHEADER, headers);
	curl_easy_setopt(fetch->curl, CURLOPT_WRITEFUNCTION, web_arrived);
	curl_easy_setopt(fetch->curl, CURLOPT_WRITEDATA, fetch);
	curl_easy_setopt(fetch->curl, CURLOPT_HEADERFUNCTION, web_header);
	curl_easy_setopt(fetch->curl, CURLOPT_HEADERDATA, fetch);
	code = curl_easy_perform(fetch->curl);
	curl_easy_getinfo(fetch->curl, CURLINFO_RESPONSE_CODE, status);
	curl_slist_free_all(headers);
	if (code == CURLE_WRITE_ERROR)
		return "the file is larger than this filter allows";
	return code ? curl_easy_strerror(code) : NULL;
}

/* @quiet: print nothing if the file is not newer. */
static int web_fetch_once(struct web *web, struct web_fetch *fetch, const char *url, bool quiet)
{
	uint64_t identity = web->session.member->state->chain.identity;
	char path[PATH_MAX];
	const char *failed;
	long status = 0;
	int loaded;

	snprintf(path, sizeof(path), "%.2000s/fleet-%.31s.web", web->config->state,
		 web->session.config->group.name);
	web_recall(path, identity, fetch);
	fetch->limit = web_limit(web);
	failed = web_get(fetch, url, &status);
	if (failed || (status != 200 && status != 304)) {
		fprintf(stderr, "seend: %s: %s (%ld)\n", url, failed ? failed : "HTTP status",
			status);
		return 1;
	}
	loaded = status == 304 ? 0 : web_load(web, fetch->bytes, fetch->len, &fetch->sequence);
	if (loaded < 0)
		return web_say(web->error);
	if (loaded)
		web_remember(path, identity, fetch);
	if (loaded || !quiet)
		printf("%s: %s\n", url, loaded ? "loaded" : "not newer");
	return 0;
}

static int web_round(const char *config, const char *group, const char *url,
		     bool quiet)
{
	struct web_fetch fetch = { .curl = curl_easy_init() };
	struct web *web = calloc(1, sizeof(*web));
	int failed = 1;

	if (!web || !fetch.curl) {
		web_say("no memory");
	} else {
		if (web_open(web, config, group))
			web_say(web->error);
		else
			failed = web_fetch_once(web, &fetch, url, quiet);
		web_close(web);
	}
	curl_easy_cleanup(fetch.curl);
	free(fetch.bytes);
	free(web);
	return failed;
}

int web_subscribe(const char *config, const char *group, const char *url, unsigned int seconds)
{
	/* Of many rounds a log keeps those that loaded a file. */
	bool quiet = seconds && !isatty(STDOUT_FILENO);
	int failed;

	curl_global_init(CURL_GLOBAL_DEFAULT);
	for (;;) {
		failed = web_round(config, group, url, quiet);
		fflush(stdout);
		if (!seconds)
			break;
		sleep(seconds);
	}
	curl_global_cleanup();
	return failed;
}
