// SPDX-License-Identifier: GPL-2.0
/*
 * All guards of a namespace, with their ports, which come from a second dump. The list is
 * opaque, so that its elements can grow.
 */
#include <errno.h>
#include <stdlib.h>

#include "client.h"
#include "port.h"

/**
 * struct seen_guards - guards, each as it was when the kernel reached it
 * @info: the guards
 * @count: elements of @info
 * @ports: the ports of each guard
 */
struct seen_guards {
	struct seen_guard_info *info;
	size_t count;
	struct seen_ports *ports;
};

static int guards_parse(struct seen_client *client, struct nlmsghdr *nlh,
			void *context)
{
	struct seen_guards *list = context;
	struct seen_guard_info *guard;

	guard = seen_grow((void **)&list->info, &list->count, sizeof(*guard));
	return guard ? seen_guard_parse(client, nlh, guard) : -ENOMEM;
}

static void guards_clear(struct seen_guards *list)
{
	for (size_t i = 0; list->ports && i < list->count; i++)
		free(list->ports[i].port);
	free(list->ports);
	free(list->info);
	*list = (struct seen_guards){};
}

static int guards_read_ports(struct seen_client *client, struct seen_guards *list)
{
	if (!list->count)
		return 0;
	list->ports = calloc(list->count, sizeof(*list->ports));
	if (!list->ports)
		return seen_fail_nl(client, -NLE_NOMEM);
	for (size_t i = 0; i < list->count; i++)
		list->info[i].ports = &list->ports[i];
	return seen_ports_read(client, list->info, list->ports, list->count);
}

static int guards_read_once(struct seen_client *client, struct seen_guards *list)
{
	int err;

	guards_clear(list);
	err = seen_transact(client,
			    seen_request(client, SEEN_CMD_GUARD_GET, NLM_F_DUMP, 0),
			    guards_parse, list);
	return err ? err : guards_read_ports(client, list);
}

static int guards_read(struct seen_client *client, struct seen_guards *list)
{
	int err = -EAGAIN;

	for (int i = 0; i < SEEN_LIST_TRIES && err == -EAGAIN; i++)
		err = guards_read_once(client, list);
	return err == -EAGAIN ? seen_fail_list(client, "guards") : err;
}

int seen_guard_list(struct seen_client *client, struct seen_guards **list)
{
	struct seen_guards *made;
	int err = seen_begin(client);

	*list = NULL;
	if (err)
		return err;
	made = calloc(1, sizeof(*made));
	if (!made)
		return seen_fail_nl(client, -NLE_NOMEM);
	err = guards_read(client, made);
	if (err)
		seen_guards_free(made);
	else
		*list = made;
	return err;
}

size_t seen_guards_count(const struct seen_guards *list)
{
	return list ? list->count : 0;
}

const struct seen_guard_info *seen_guards_at(const struct seen_guards *list,
					     size_t index)
{
	return index < seen_guards_count(list) ? &list->info[index] : NULL;
}

void seen_guards_free(struct seen_guards *list)
{
	if (list)
		guards_clear(list);
	free(list);
}
