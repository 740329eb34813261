// SPDX-License-Identifier: GPL-2.0
/*
 * spam LISTED ALLOWED < ADDRESSES: print for each mail address whether it is on the list LISTED
 * of spam senders, and not on the list ALLOWED, whose addresses are always accepted.
 *
 * A list of ten million addresses needs 45 MB, and contains one honest sender in 500 million by
 * mistake. The list ALLOWED is exact: use it for senders that must never be refused.
 * gcc -O2 spam.c -o spam $(pkg-config --cflags --libs libseen)
 */
#include <ctype.h>
#include <seen/local.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void die(const char *what, const char *why)
{
	fprintf(stderr, "spam: %s: %s\n", what, why);
	exit(1);
}

/* Letter case and line ends do not distinguish addresses. */
static size_t canonical(char *address)
{
	size_t len = strcspn(address, "\r\n");

	for (size_t i = 0; i < len; i++)
		address[i] = tolower((unsigned char)address[i]);
	return len;
}

static uint64_t count_lines(FILE *file)
{
	uint64_t count = 1;
	int c;

	while ((c = getc(file)) != EOF)
		count += c == '\n';
	rewind(file);
	return count;
}

/* Read a list of one address a line into a filter of type @type. */
static struct seen_local *read_list(const char *path, enum seen_type type)
{
	struct seen_filter_config config = {
		.type = type,
		.fp_bits = type == SEEN_TYPE_CUCKOO ? 32 : 0,
		.key = {
			.profile = SEEN_KEY_PROFILE_BYTES,
			.count = 1,
			.field = { { .id = SEEN_FIELD_BYTES } },
		},
	};
	FILE *file = fopen(path, "r");
	struct seen_local *list;
	char *line = NULL;
	size_t room = 0;

	if (!file)
		die(path, "cannot be read");
	config.capacity = count_lines(file);
	if (seen_local_create(&list, &config))
		die(path, seen_local_error());
	while (getline(&line, &room, file) > 0) {
		int result = seen_local_add(list, line, canonical(line));

		if (result < 0)
			die(line, seen_local_error());
		if (result != SEEN_KEY_RESULT_NEW && result != SEEN_KEY_RESULT_SEEN)
			die(line, "there is no room");
	}
	free(line);
	fclose(file);
	return list;
}

static bool is_on(struct seen_local *list, const char *address, size_t len)
{
	return seen_local_test(list, address, len) == SEEN_KEY_RESULT_SEEN;
}

int main(int argc, char **argv)
{
	unsigned long long count[3] = { 0 };
	static const char *const words[] = { "unknown", "listed", "allowed" };
	struct seen_local *listed, *allowed;
	char *line = NULL;
	size_t room = 0;

	if (argc != 3)
		die("usage", "spam LISTED ALLOWED < ADDRESSES");
	listed = read_list(argv[1], SEEN_TYPE_CUCKOO);
	allowed = read_list(argv[2], SEEN_TYPE_MAP);
	while (getline(&line, &room, stdin) > 0) {
		size_t len = canonical(line);
		int what = is_on(allowed, line, len) ? 2 :
			   is_on(listed, line, len);

		count[what]++;
		printf("%.*s %s\n", (int)len, line, words[what]);
	}
	fprintf(stderr, "unknown %llu listed %llu allowed %llu\n", count[0],
		count[1], count[2]);
	seen_local_close(listed);
	seen_local_close(allowed);
	free(line);
	return 0;
}
