// SPDX-License-Identifier: GPL-2.0
#include <seen/local.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	struct seen_filter_config config = { .type = SEEN_TYPE_CUCKOO, .capacity = 1000 };
	char error[SEEN_KEY_ERROR_LEN];
	struct seen_local *words;
	int result;

	config.fpp = SEEN_FPP_ONE / 1000000; /* one false positive in a million */
	if (seen_key_spec_parse(&config.key, "bytes", error) || seen_local_create(&words, &config))
		return 1;
	for (int i = 1; i < argc; i++) {
		result = seen_local_test_and_add(words, argv[i], strlen(argv[i]));
		printf("%s %s\n", argv[i], seen_word(&seen_key_results, result));
	}
	return seen_local_save(words, "words.seen", SEEN_LOCAL_WITH_SECRET) ? 1 : 0;
}
