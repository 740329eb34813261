// SPDX-License-Identifier: GPL-2.0
/*
 * crawler FILE CAPACITY < URLS > NEW: print the addresses that were not met before, in this run
 * or an earlier one. The set of addresses is stored in FILE.
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

/* Open the set of the run before, or create an empty one. */
static int open_set(struct seen_local **set, const char *file,
		    uint64_t capacity)
{
	struct seen_filter_config config = {
		.name = "urls",
		.type = SEEN_TYPE_CUCKOO,
		.capacity = capacity,
		/* One new page in a million is taken for a known one, and not visited. */
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

/* Unify spellings of an address: remove the fragment and trailing slashes. */
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
	/* Save the secret, too: the next run needs it to test keys. */
	if (fflush(stdout) ||
	    seen_local_save(set, argv[1], SEEN_LOCAL_WITH_SECRET))
		return fail(argv[1]);
	fprintf(stderr, "met %llu new %llu\n", met, fresh);
	seen_local_close(set);
	free(url);
	return 0;
}
