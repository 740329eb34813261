// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <string.h>

#include <linux/genetlink.h>
#include <netlink/genl/ctrl.h>

#include "client.h"

static void parse_guard(struct seen_client *client, struct nlattr *nest,
			struct seen_event_info *event)
{
	struct nlattr *tb[SEEN_A_GUARD_MAX + 1];

	if (!nest || nla_parse_nested(tb, SEEN_A_GUARD_MAX, nest, NULL))
		return;
	event->has_guard = true;
	event->guard_id = seen_attr_u32(tb[SEEN_A_GUARD_ID]);
	event->guard.kind = seen_attr_u32(tb[SEEN_A_GUARD_KIND]);
	event->guard.hook = seen_attr_u32(tb[SEEN_A_GUARD_HOOK]);
	seen_attr_name(client, tb[SEEN_A_GUARD_DEV], event->guard.dev,
		       sizeof(event->guard.dev));
}

static void parse_filter(struct seen_client *client, struct nlattr *nest,
			 struct seen_event_info *event)
{
	struct nlattr *tb[SEEN_A_FILTER_MAX + 1];

	if (!nest || nla_parse_nested(tb, SEEN_A_FILTER_MAX, nest, NULL))
		return;
	event->filter_id = seen_attr_u32(tb[SEEN_A_FILTER_ID]);
	seen_attr_name(client, tb[SEEN_A_FILTER_NAME], event->filter,
		       sizeof(event->filter));
}

static int parse_event(struct seen_client *client, struct nlmsghdr *nlh,
		       struct seen_event_info *event)
{
	struct nlattr *tb[SEEN_A_EVENT_MAX + 1];

	if (genlmsg_parse(nlh, 0, tb, SEEN_A_EVENT_MAX, NULL))
		return -EPROTO;
	memset(event, 0, sizeof(*event));
	event->cmd = genlmsg_hdr(nlh)->cmd;
	event->time = seen_attr_u64(tb[SEEN_A_EVENT_TIME]);
	event->count = seen_attr_u64(tb[SEEN_A_EVENT_COUNT]);
	event->duration = seen_attr_u64(tb[SEEN_A_EVENT_DURATION]);
	event->window = seen_attr_u64(tb[SEEN_A_EVENT_WINDOW]);
	event->promised = seen_attr_u64(tb[SEEN_A_EVENT_PROMISED]);
	event->rate = seen_attr_u64(tb[SEEN_A_EVENT_RATE]);
	event->peak = seen_attr_u64(tb[SEEN_A_EVENT_PEAK]);
	event->lost = seen_attr_u64(tb[SEEN_A_EVENT_LOST]);
	event->change = seen_attr_u32(tb[SEEN_A_EVENT_CHANGE]);
	seen_attr_name(client, tb[SEEN_A_EVENT_OLD_NAME], event->old_name,
		       sizeof(event->old_name));
	seen_attr_name(client, tb[SEEN_A_EVENT_PORT], event->port, sizeof(event->port));
	seen_attr_name(client, tb[SEEN_A_EVENT_OTHER], event->other,
		       sizeof(event->other));
	parse_filter(client, tb[SEEN_A_EVENT_FILTER], event);
	parse_guard(client, tb[SEEN_A_EVENT_GUARD], event);
	event->has_dup = tb[SEEN_A_EVENT_DUP];
	if (event->has_dup)
		seen_dup_parse(client, tb[SEEN_A_EVENT_DUP], &event->dup);
	event->has_finding = tb[SEEN_A_EVENT_FINDING];
	if (event->has_finding)
		seen_finding_parse(client, tb[SEEN_A_EVENT_FINDING], &event->finding);
	return 0;
}

/*
 * When a family is unregistered, its groups lose all their members, and their sockets get no error.
 * The controller's group reports that; its number is fixed. Join it first, so that the report
 * cannot be missed.
 */
static int event_join(struct seen_client *client)
{
	int group = genl_ctrl_resolve_grp(client->sock, SEEN_FAMILY_NAME,
					  SEEN_MCGRP_EVENTS);
	int err = group < 0 ? group : nl_socket_add_membership(client->sock, GENL_ID_CTRL);

	if (!err)
		err = nl_socket_add_membership(client->sock, group);
	if (err)
		return seen_fail_nl(client, err);
	nl_socket_disable_seq_check(client->sock);
	return 0;
}

int seen_listen(struct seen_client *client)
{
	int err = seen_enter(client);

	if (err)
		return err;
	err = event_join(client);
	seen_leave(client);
	return err;
}

int seen_listen_fd(const struct seen_client *client)
{
	return client->sock ? nl_socket_get_fd(client->sock) : -ENOTCONN;
}

struct listener {
	struct seen_client *client;
	seen_event_fn tell;
	void *context;
	int end;
};

/* Is this the report that the module's family was unregistered? */
static bool is_unload(struct nlmsghdr *nlh)
{
	struct nlattr *tb[CTRL_ATTR_MAX + 1];

	return genlmsg_valid_hdr(nlh, 0) && genlmsg_hdr(nlh)->cmd == CTRL_CMD_DELFAMILY &&
	       !genlmsg_parse(nlh, 0, tb, CTRL_ATTR_MAX, NULL) && tb[CTRL_ATTR_FAMILY_NAME] &&
	       !nla_strcmp(tb[CTRL_ATTR_FAMILY_NAME], SEEN_FAMILY_NAME);
}

static int on_control(struct listener *listener, struct nlmsghdr *nlh)
{
	if (!is_unload(nlh))
		return NL_OK;
	listener->end = seen_fail(listener->client, -ENOENT, "the module was unloaded");
	return NL_STOP;
}

static int on_event(struct nl_msg *msg, void *arg)
{
	struct listener *listener = arg;
	struct seen_client *client = listener->client;
	struct seen_event_info event;

	if (nlmsg_hdr(msg)->nlmsg_type == GENL_ID_CTRL)
		return on_control(listener, nlmsg_hdr(msg));
	if (parse_event(client, nlmsg_hdr(msg), &event))
		return NL_OK;
	listener->end = client->crowded ? seen_fail_room(client) :
					  listener->tell(&event, listener->context);
	return listener->end ? NL_STOP : NL_OK;
}

static int event_read(struct seen_client *client, struct listener *listener)
{
	int err;

	nl_socket_modify_cb(client->sock, NL_CB_VALID, NL_CB_CUSTOM, on_event,
			    listener);
	err = nl_recvmsgs_default(client->sock);
	if (listener->end < 0 && !client->error[0])
		seen_fail(client, listener->end, strerror(-listener->end));
	if (listener->end || !err)
		return listener->end;
	/* libnl maps the kernel's ENOBUFS to NLE_NOMEM. */
	return seen_fail(client, err == -NLE_NOMEM ? -ENOBUFS : -EIO,
			 nl_geterror(err));
}

int seen_listen_next(struct seen_client *client, seen_event_fn tell, void *context)
{
	struct listener listener = {
		.client = client, .tell = tell, .context = context,
	};
	int err = seen_enter(client);

	if (err)
		return err;
	err = event_read(client, &listener);
	seen_leave(client);
	return err;
}
