// SPDX-License-Identifier: GPL-2.0
#include "../../kmod/snapshot.h"
#include "../core/test.h"
#include "../fake/module.h"
#include "commands.h"

static void check(bool good)
{
	if (!good)
		abort();
}

void command_create(struct seen_binding *binding, struct seen_binding *other)
{
	seen_filter_free(fake_filter(&binding->filter->set.geo));
}

void command_dump(struct seen_binding *binding, struct seen_binding *other)
{
	const struct nlmsghdr request = { .nlmsg_len = NLMSG_HDRLEN + GENL_HDRLEN };
	struct sk_buff *skb = nlmsg_new(NLMSG_GOODSIZE, GFP_KERNEL);
	struct netlink_callback cb = { .nlh = &request };

	seen_nl_filter_dump(skb, &cb);
	check(cb.args[0] == other->id);
}

static void put(struct fake_request *request, int type, const void *data,
		u16 bytes)
{
	free(request->attrs[type]);
	request->attrs[type] = fake_attr(type, data, bytes);
}

static void begin(struct fake_request *request)
{
	fake_request(request);
	put(request, SEEN_A_FILTER_NAME, SLOT_NAME, sizeof(SLOT_NAME));
}

static void end(struct fake_request *request)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(request->attrs); i++)
		free(request->attrs[i]);
}

/* Each chunk is a request. */
static bool export_chunk(struct fake_request *request,
			 struct seen_import *import)
{
	const struct nlattr *next;

	put(request, SEEN_A_FILTER_FROM, &import->next, sizeof(import->next));
	fake_sleep();
	check(!seen_nl_filter_export(NULL, &request->info));
	next = fake_reply(SEEN_A_FILTER_NEXT);
	fake_sleep();
	check(!seen_import_chunk(import, import->next,
				 fake_reply(SEEN_A_FILTER_DATA), NULL));
	return next;
}

/* Imports the units to the places from which they were exported. */
void command_export_and_import(struct seen_binding *binding,
			       struct seen_binding *other)
{
	struct seen_filter *filter = fake_filter(&binding->filter->set.geo);
	struct fake_request request;
	struct seen_import *import;
	u64 cookie;

	import = seen_import_begin(&fake_sn, 1, "import", filter, NULL);
	begin(&request);
	check(!seen_nl_filter_export(NULL, &request.info));
	cookie = nla_get_u64(fake_reply(SEEN_A_FILTER_COOKIE));
	put(&request, SEEN_A_FILTER_COOKIE, &cookie, sizeof(cookie));
	while (export_chunk(&request, import))
		;
	fake_sleep();
	check(!seen_import_commit(import, 0, NULL));
	end(&request);
	down_write(&fake_sn.lock);
	seen_binding_del(seen_binding_lookup(&fake_sn, "import"));
	up_write(&fake_sn.lock);
}

/* First with the check for room that callers make, then the merge itself. */
void command_merge(struct seen_binding *binding, struct seen_binding *other)
{
	struct fake_request request;

	begin(&request);
	put(&request, SEEN_A_FILTER_NEW_NAME, OTHER_NAME, sizeof(OTHER_NAME));
	seen_nl_filter_merge(NULL, &request.info);
	put(&request, SEEN_A_FILTER_FORCE, NULL, 0);
	seen_nl_filter_merge(NULL, &request.info);
	end(&request);
}

void command_sweep(struct seen_binding *binding, struct seen_binding *other)
{
	struct work_struct *work = &binding->filter->sweep_work.work;

	work->func(work);
}

/* Sets the map's state as if an add had found no place. */
void command_rehash(struct seen_binding *binding, struct seen_binding *other)
{
	fake_random = random64();
	binding->filter->set.map.torn = true;
	check(!seen_rehash(binding->filter, NULL));
}

/* An add that finds the filter full causes the rotation. */
void command_rotate(struct seen_binding *binding, struct seen_binding *other)
{
	struct seen_item item = { .hash = random64() };

	binding->filter->on_full = SEEN_ON_FULL_ROTATE;
	check(seen_set_full(&binding->filter->set));
	seen_filter_add(binding->filter, &item);
	check(!seen_set_full(&binding->filter->set));
}

void command_fold(struct seen_binding *binding, struct seen_binding *other)
{
	struct fake_request request;

	begin(&request);
	check(!seen_nl_filter_fold(NULL, &request.info));
	end(&request);
}

void command_flush(struct seen_binding *binding, struct seen_binding *other)
{
	check(!seen_binding_flush(other, NULL));
}

void command_delete(struct seen_binding *binding, struct seen_binding *other)
{
	down_write(&fake_sn.lock);
	seen_binding_del(binding);
	up_write(&fake_sn.lock);
	down_write(&fake_sn.lock);
	seen_binding_del(other);
	up_write(&fake_sn.lock);
}
