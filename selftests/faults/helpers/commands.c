// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>

#include <linux/genetlink.h>

#include "client.h"
#include "commands.h"
#include "nth.h"
#include "numbers.h"

struct census {
	unsigned int count;
	unsigned int missed;
};

static void take(struct census *census, uint8_t cmd, bool dump)
{
	census->count++;
	if (nth_asked(cmd, dump))
		return;
	census->missed++;
	printf("# no request here makes command %u%s\n", cmd,
	       dump ? ", as a dump" : "");
}

static int parse(struct seen_client *unused, struct nlmsghdr *nlh, void *context)
{
	struct nlattr *tb[CTRL_ATTR_MAX + 1], *in[CTRL_ATTR_OP_MAX + 1], *op;
	struct census *census = context;
	uint32_t cmd, flags;
	int left;

	if (genlmsg_parse(nlh, 0, tb, CTRL_ATTR_MAX, NULL) ||
	    !tb[CTRL_ATTR_OPS])
		return -EPROTO;
	nla_for_each_nested(op, tb[CTRL_ATTR_OPS], left) {
		if (nla_parse_nested(in, CTRL_ATTR_OP_MAX, op, NULL))
			return -EPROTO;
		cmd = seen_attr_u32(in[CTRL_ATTR_OP_ID]);
		flags = seen_attr_u32(in[CTRL_ATTR_OP_FLAGS]);
		if (flags & GENL_CMD_CAP_DO)
			take(census, cmd, false);
		if (flags & GENL_CMD_CAP_DUMP)
			take(census, cmd, true);
	}
	return 0;
}

unsigned int commands_missed(struct seen_client *client, unsigned int *count)
{
	struct nl_msg *msg = nlmsg_alloc();
	struct census census = {};

	if (!msg || !genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, GENL_ID_CTRL,
				 0, NLM_F_ACK, CTRL_CMD_GETFAMILY, 1) ||
	    nla_put_u16(msg, CTRL_ATTR_FAMILY_ID, client->family) ||
	    seen_transact(client, msg, parse, &census))
		fatal("the family's commands");
	*count = census.count;
	return census.missed;
}
