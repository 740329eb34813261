// SPDX-License-Identifier: GPL-2.0
/*
 * first WORD...: print for each word whether it was given before
 *
 * gcc -O2 first.c -o first $(pkg-config --cflags --libs libseen)
 */
#include <seen/local.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	struct seen_filter_config config = {
		.type = SEEN_TYPE_CUCKOO,
		.capacity = 1000,
		.fpp = SEEN_FPP_ONE / 1000000,	/* one in a million */
		.key = {
			.profile = SEEN_KEY_PROFILE_BYTES,
			.count = 1,
			.field = { { .id = SEEN_FIELD_BYTES } },
		},
	};
	struct seen_local *filter;

	if (seen_local_create(&filter, &config)) {
		fprintf(stderr, "first: %s\n", seen_local_error());
		return 1;
	}
	for (int i = 1; i < argc; i++) {
		int result = seen_local_test_and_add(filter, argv[i],
						     strlen(argv[i]));

		printf("%s %s\n", argv[i], seen_word(&seen_key_results, result));
	}
	seen_local_close(filter);
	return 0;
}
