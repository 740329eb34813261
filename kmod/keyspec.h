/* SPDX-License-Identifier: GPL-2.0 */
/* Policy of a key's attributes in requests. seen_keyspec_parse() relies on its ranges. */
#ifndef SEEN_KEYSPEC_H
#define SEEN_KEYSPEC_H

#include <net/netlink.h>
#include <linux/seen.h>

/* Policy of the nest SEEN_A_FILTER_KEY. */
extern const struct nla_policy seen_keyspec_policy[SEEN_A_FIELD_ENTRY + 1];

#endif
