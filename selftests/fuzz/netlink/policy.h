/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The attributes that the kernel accepts, as it reports them (CTRL_CMD_GETPOLICY). There is no
 * other description, so a new attribute is used at once.
 */
#ifndef POLICY_H
#define POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/netlink.h>

#include "linux/seen.h"

#define COMMANDS	(SEEN_CMD_MAX + 1)
/* Attributes of a policy; each has a bit in a u64. */
#define ATTRS		64

/**
 * struct attr_policy - the policy of an attribute
 * @type: enum netlink_attribute_type; NL_ATTR_TYPE_INVALID: not accepted
 * @most: most bytes of strings and binaries; 0: any
 */
struct attr_policy {
	uint8_t type;
	uint32_t most;
};

/**
 * struct command_policy - the policy of a command
 * @known: the command has a policy
 * @asks: it accepts requests without NLM_F_DUMP
 * @dumps: it accepts requests with NLM_F_DUMP
 * @attr: by type
 */
struct command_policy {
	bool known;
	bool asks;
	bool dumps;
	const struct attr_policy *attr;
};

/* policy_read() - read all policies over a socket; ends the program if that fails */
void policy_read(int fd);

/* policy_of() - the policy of a command; @cmd may be any number */
const struct command_policy *policy_of(uint8_t cmd);

#endif
