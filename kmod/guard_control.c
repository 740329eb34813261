// SPDX-License-Identifier: GPL-2.0
/* Control groups: guard_control.h. */
#include <linux/etherdevice.h>

#include "guard_control.h"

static const struct seen_group builtin[] = {
	{ { 0x01, 0x80, 0xc2, 0x00, 0x00, 0x30 }, 44 },	/* 802.1ag CFM, Y.1731 */
	{ { 0x01, 0x00, 0x0c, 0xcc, 0xcc, 0xcc }, 46 },	/* CDP, VTP, UDLD, PVST+, REP */
	{ { 0x01, 0x00, 0x0c, 0xcd, 0xcd, 0xd0 }, 48 },	/* Cisco: tunnelled BPDUs */
	{ { 0x01, 0x19, 0xa7, 0x00, 0x00, 0x00 }, 40 },	/* G.8032 ERPS */
	{ { 0x01, 0x15, 0x4e, 0x00, 0x00, 0x00 }, 40 },	/* IEC 62439-2 MRP */
	{ { 0x01, 0x21, 0x6c, 0x00, 0x00, 0x00 }, 40 },	/* IEC 62439-6 DRP */
	{ { 0x03, 0x04, 0x80, 0x00, 0x00, 0x00 }, 40 },	/* Foundry: metro ring */
	{ { 0x01, 0xe0, 0x52, 0xcc, 0xcc, 0xcc }, 48 },	/* Foundry discovery */
	{ { 0x01, 0x00, 0x81, 0x00, 0x01, 0x00 }, 47 },	/* Nortel: topology, SLPP */
	{ { 0x09, 0x00, 0x09, 0x09, 0x13, 0xa6 }, 48 },	/* HP loop protection */
	{ { 0xcf, 0x00, 0x00, 0x00, 0x00, 0x00 }, 48 },	/* loopback probes */
};

static bool control_is_in(const struct seen_group *group, u64 addr)
{
	return !((addr ^ ether_addr_to_u64(group->addr)) >> (48 - group->bits));
}

bool seen_control_has(const struct seen_exempts *exempts, const u8 *addr)
{
	u64 number = ether_addr_to_u64(addr);
	u32 i;

	for (i = 0; i < ARRAY_SIZE(builtin); i++)
		if (control_is_in(&builtin[i], number))
			return true;
	for (i = 0; exempts && i < exempts->count; i++)
		if (control_is_in(&exempts->group[i], number))
			return true;
	return false;
}
