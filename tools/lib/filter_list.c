// SPDX-License-Identifier: GPL-2.0
/* All filters of a namespace. The list is opaque, so that its elements can grow. */
#include <errno.h>
#include <stdlib.h>

#include "client.h"

/**
 * struct seen_filters - filters, each as it was when the kernel reached it
 * @info: the filters
 * @count: elements of @info
 */
struct seen_filters {
	struct seen_filter_info *info;
	size_t count;
};

static int filters_parse(struct seen_client *client, struct nlmsghdr *nlh,
			 void *context)
{
	struct nlattr *tb[SEEN_A_FILTER_MAX + 1];
	struct seen_filters *list = context;
	struct seen_filter_info *info;

	info = seen_grow((void **)&list->info, &list->count, sizeof(*info));
	return info ? seen_filter_parse(client, nlh, info, tb) : -ENOMEM;
}

static void filters_clear(struct seen_filters *list)
{
	free(list->info);
	*list = (struct seen_filters){};
}

static int filters_read(struct seen_client *client, struct seen_filters *list)
{
	int err = -EAGAIN;

	for (int i = 0; i < SEEN_LIST_TRIES && err == -EAGAIN; i++) {
		filters_clear(list);
		err = seen_transact(client,
				    seen_request(client, SEEN_CMD_FILTER_GET,
						 NLM_F_DUMP, 0),
				    filters_parse, list);
	}
	return err == -EAGAIN ? seen_fail_list(client, "filters") : err;
}

int seen_filter_list(struct seen_client *client, struct seen_filters **list)
{
	struct seen_filters *made;
	int err = seen_begin(client);

	*list = NULL;
	if (err)
		return err;
	made = calloc(1, sizeof(*made));
	if (!made)
		return seen_fail_nl(client, -NLE_NOMEM);
	err = filters_read(client, made);
	if (err)
		seen_filters_free(made);
	else
		*list = made;
	return err;
}

size_t seen_filters_count(const struct seen_filters *list)
{
	return list ? list->count : 0;
}

const struct seen_filter_info *seen_filters_at(const struct seen_filters *list,
					       size_t index)
{
	return index < seen_filters_count(list) ? &list->info[index] : NULL;
}

void seen_filters_free(struct seen_filters *list)
{
	if (list)
		filters_clear(list);
	free(list);
}
