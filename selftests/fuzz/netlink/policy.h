/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the kernel says that it takes (CTRL_CMD_GETPOLICY): its own word is the only
 * description, and an attribute that is new in it is sent at once.
 */
#ifndef POLICY_H
#define POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/netlink.h>

#include "linux/seen.h"

#define COMMANDS	(SEEN_CMD_MAX + 1)
/* Of one policy; it has a bit each in a u64. */
#define ATTRS		64

/**
 * struct attr_policy - of one attribute
 * @type: enum netlink_attribute_type; NL_ATTR_TYPE_INVALID: not taken
 * @most: bytes of strings and binaries; 0: any
 */
struct attr_policy {
	uint8_t type;
	uint32_t most;
};

/**
 * struct command_policy - of one command
 * @known: it has one
 * @asks: it can be asked without NLM_F_DUMP
 * @dumps: it can be asked with NLM_F_DUMP
 * @attr: by number
 */
struct command_policy {
	bool known;
	bool asks;
	bool dumps;
	const struct attr_policy *attr;
};

/* policy_read() - over a socket; ends the program if there is none */
void policy_read(int fd);

/* policy_of() - by enum seen_cmd, and any other number */
const struct command_policy *policy_of(uint8_t cmd);

#endif
