// SPDX-License-Identifier: GPL-2.0
/*
 * filters: list the kernel's filters in this network namespace
 *
 * gcc -O2 filters.c -o filters $(pkg-config --cflags --libs libseen)
 */
#include <seen/libseen.h>
#include <stdio.h>

int main(void)
{
	const struct seen_filter_info *info;
	struct seen_filters *list = NULL;
	struct seen_client *client;
	int err;

	err = seen_open(&client);
	if (!err)
		err = seen_filter_list(client, &list);
	if (err)
		fprintf(stderr, "filters: %s\n", seen_error(client));
	for (size_t i = 0; (info = seen_filters_at(list, i)); i++)
		printf("%s %s keys %llu of %llu\n", info->config.name,
		       seen_word(&seen_types, info->config.type),
		       (unsigned long long)info->entries,
		       (unsigned long long)info->config.capacity);
	seen_filters_free(list);
	seen_close(client);
	return err ? 1 : 0;
}
