// SPDX-License-Identifier: GPL-2.0
/*
 * crawler FILE CAPACITY < URLS > NEW: of the addresses that pages link to, those that
 * were never met, in this run or before. What was met persists in FILE.
 *
 * gcc -O2 crawler.c -o crawler $(pkg-config --cflags --libs libseen)
 */
#include <errno.h>
#include <seen/local.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int fail(const char *what)
{
	fprintf(stderr, "crawler: %s: %s\n", what, seen_local_error());
	return 1;
}

/* The set of the run before, or an empty one. */
static int open_set(struct seen_local **set, const char *file,
		    uint64_t capacity)
{
	struct seen_filter_config config = {
		.name = "urls",
		.type = SEEN_TYPE_CUCKOO,
		.capacity = capacity,
		/* One page in a million is never visited: it seems to have been. */
		.fpp = SEEN_FPP_ONE / 1000000,
		.key = {
			.profile = SEEN_KEY_PROFILE_BYTES,
			.count = 1,
			.field = { { .id = SEEN_FIELD_BYTES } },
		},
	};

	if (access(file, F_OK) && errno == ENOENT)
		return seen_local_create(set, &config);
	return seen_local_open(set, file, NULL);
}

/* One address for what is written in several ways: no fragment, no last slash. */
static size_t canonical(char *url, size_t len)
{
	char *fragment = memchr(url, '#', len);

	if (fragment)
		len = fragment - url;
	while (len && (url[len - 1] == '\n' || url[len - 1] == '/'))
		len--;
	return len;
}

int main(int argc, char **argv)
{
	unsigned long long met = 0, fresh = 0;
	struct seen_local *set;
	char *url = NULL;
	size_t room = 0;
	ssize_t len;

	if (argc != 3) {
		fprintf(stderr, "usage: crawler FILE CAPACITY < URLS > NEW\n");
		return 2;
	}
	if (open_set(&set, argv[1], strtoull(argv[2], NULL, 0)))
		return fail(argv[1]);
	while ((len = getline(&url, &room, stdin)) > 0) {
		len = canonical(url, len);
		met++;
		switch (seen_local_test_and_add(set, url, len)) {
		case SEEN_KEY_RESULT_SEEN:
			continue;
		case SEEN_KEY_RESULT_FULL:
			fprintf(stderr, "crawler: the set is full\n");
			return 1;
		}
		fresh++;
		printf("%.*s\n", (int)len, url);
	}
	/* With its secret: without it nothing could be asked again. */
	if (fflush(stdout) ||
	    seen_local_save(set, argv[1], SEEN_LOCAL_WITH_SECRET))
		return fail(argv[1]);
	fprintf(stderr, "met %llu new %llu\n", met, fresh);
	seen_local_close(set);
	free(url);
	return 0;
}
