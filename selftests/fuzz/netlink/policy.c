// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "numbers.h"
#include "policy.h"
#include "talk.h"

#define POLICIES	64

static struct command_policy commands[COMMANDS];
static struct attr_policy policies[POLICIES][ATTRS];

static void take_command(const struct nlattr *command)
{
	const uint8_t *attrs = attr_data(command);
	struct command_policy *policy;
	const struct nlattr *asked, *dumped, *index;

	if (attr_type(command) >= COMMANDS)
		fatal("a command that linux/seen.h does not have");
	policy = &commands[attr_type(command)];
	asked = attr_find(attrs, attr_len(command), CTRL_ATTR_POLICY_DO);
	dumped = attr_find(attrs, attr_len(command), CTRL_ATTR_POLICY_DUMP);
	index = asked ?: dumped;
	if (!index || attr_u32(index) >= POLICIES)
		fatal("a command without a policy");
	policy->known = true;
	policy->attr = policies[attr_u32(index)];
	policy->asks = asked;
	policy->dumps = dumped;
}

static void take_attr(const struct nlattr *attr, struct attr_policy *policy)
{
	const uint8_t *attrs = attr_data(attr);
	uint32_t len = attr_len(attr);

	if (attr_type(attr) >= ATTRS)
		fatal("an attribute beyond the 64th");
	policy += attr_type(attr);
	policy->type = attr_u32(attr_find(attrs, len,
					  NL_POLICY_TYPE_ATTR_TYPE));
	policy->most = attr_u32(attr_find(attrs, len,
					  NL_POLICY_TYPE_ATTR_MAX_LENGTH));
}

/* A message describes one command, or one attribute of a policy. */
static void hear(void *context, const struct reply *reply)
{
	const struct nlattr *ops = attr_find(reply->attrs, reply->len,
					     CTRL_ATTR_OP_POLICY);
	const struct nlattr *all = attr_find(reply->attrs, reply->len,
					     CTRL_ATTR_POLICY);
	const struct nlattr *policy, *attr;
	uint32_t at = 0, in;

	(void)context;
	while (ops && (policy = attr_next(attr_data(ops), attr_len(ops), &at)))
		take_command(policy);
	at = 0;
	while (all &&
	       (policy = attr_next(attr_data(all), attr_len(all), &at))) {
		if (attr_type(policy) >= POLICIES)
			fatal("too many policies");
		in = 0;
		while ((attr = attr_next(attr_data(policy), attr_len(policy),
					 &in)))
			take_attr(attr, policies[attr_type(policy)]);
	}
}

void policy_read(int fd)
{
	static struct message message = {
		.cmd = CTRL_CMD_GETPOLICY,
		.version = 1,
		.flags = NLM_F_REQUEST | NLM_F_ACK | NLM_F_DUMP,
	};

	message_put_text(&message, CTRL_ATTR_FAMILY_NAME, SEEN_FAMILY_NAME);
	if (talk_ask(fd, GENL_ID_CTRL, &message, hear, NULL).err ||
	    !commands[SEEN_CMD_FILTER_ADD].known)
		fatal("the kernel does not report its policy");
}

const struct command_policy *policy_of(uint8_t cmd)
{
	static const struct command_policy none;

	return cmd < COMMANDS ? &commands[cmd] : &none;
}
