// SPDX-License-Identifier: GPL-2.0
/*
 * filters: those of the kernel, in this network namespace
 *
 * gcc -O2 filters.c -o filters $(pkg-config --cflags --libs libseen)
 */
#include <seen/libseen.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	struct seen_filter_info *list = NULL;
	struct seen_client *client;
	size_t count = 0;
	int err;

	err = seen_open(&client);
	if (!err)
		err = seen_filter_list(client, &list, &count);
	if (err)
		fprintf(stderr, "filters: %s\n", seen_error(client));
	for (size_t i = 0; i < count; i++)
		printf("%s %s keys %llu of %llu\n", list[i].config.name,
		       seen_word(&seen_types, list[i].config.type),
		       (unsigned long long)list[i].entries,
		       (unsigned long long)list[i].config.capacity);
	free(list);
	seen_close(client);
	return err ? 1 : 0;
}
