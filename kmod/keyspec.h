/* SPDX-License-Identifier: GPL-2.0 */
/* What a request may say of a key: the ranges that seen_keyspec_parse() relies on. */
#ifndef SEEN_KEYSPEC_H
#define SEEN_KEYSPEC_H

#include <net/netlink.h>
#include <linux/seen.h>

/* Of SEEN_A_FILTER_KEY. */
extern const struct nla_policy seen_keyspec_policy[SEEN_A_FIELD_ENTRY + 1];

#endif
