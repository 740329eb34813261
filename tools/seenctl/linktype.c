// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>

#include "linktype.h"
#include "seenctl.h"

/* Lengths of cooked headers in bytes; the second version has the interface, too. */
#define SLL_LEN		16
#define SLL2_LEN	20
#define SLL_OUTGOING	4

/**
 * struct linktype - a link type for whose packets keys can be made
 * @type: LINKTYPE_x
 * @ethernet: the frames begin with an Ethernet header
 * @net: bytes before the network header
 * @ethertype: offset of the ethertype; -1: there is no ethertype, the packet is IP
 * @way: offset of the byte that states the direction; 0: no byte states it
 */
struct linktype {
	uint32_t type;
	bool ethernet;
	uint16_t net;
	int ethertype;
	uint16_t way;
};

/* 12 is DLT_RAW, which old files have instead of 101. */
static const struct linktype linktypes[] = {
	{ LINKTYPE_ETHERNET, .ethernet = true },
	{ 12, .ethertype = -1 },
	{ 101, .ethertype = -1 },
	{ 228, .ethertype = -1 },
	{ 229, .ethertype = -1 },
	{ 113, .net = SLL_LEN, .ethertype = SLL_LEN - 2, .way = 1 },
	{ 276, .net = SLL2_LEN, .way = 10 },
};

static const struct {
	uint32_t type;
	const char *name;
} names[] = {
	{ 0, "NULL" }, { LINKTYPE_ETHERNET, "EN10MB" }, { 9, "PPP" }, { 10, "FDDI" },
	{ 12, "RAW" }, { 50, "PPP_SERIAL" }, { 51, "PPP_ETHER" },
	{ 101, "RAW" }, { 104, "C_HDLC" }, { 105, "IEEE802_11" },
	{ 107, "FRELAY" }, { 108, "LOOP" }, { 113, "LINUX_SLL" },
	{ 117, "PFLOG" }, { 119, "PRISM_HEADER" },
	{ 127, "IEEE802_11_RADIO" }, { 163, "IEEE802_11_RADIO_AVS" },
	{ 187, "BLUETOOTH_HCI_H4" }, { 189, "USB_LINUX" }, { 192, "PPI" },
	{ 195, "IEEE802_15_4" }, { 201, "BLUETOOTH_HCI_H4_WITH_PHDR" },
	{ 220, "USB_LINUX_MMAPPED" }, { 227, "CAN_SOCKETCAN" },
	{ 228, "IPV4" }, { 229, "IPV6" }, { 230, "IEEE802_15_4_NOFCS" },
	{ 231, "DBUS" }, { 239, "NFLOG" }, { 247, "INFINIBAND" },
	{ 253, "NETLINK" }, { 258, "PKTAP" }, { 276, "LINUX_SLL2" },
};

const struct linktype *linktype_find(uint32_t type)
{
	for (size_t i = 0; i < ARRAY_SIZE(linktypes); i++)
		if (linktypes[i].type == type)
			return &linktypes[i];
	return NULL;
}

const char *linktype_name(uint32_t type, char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].type == type)
			return names[i].name;
	snprintf(name, LINKTYPE_NAME_LEN, "%u", type);
	return name;
}

/* Limit for the length on the wire, because a record may state any number. */
#define WIRE_MAX	16777216

/* The length on the wire is at least the captured length. */
static size_t wire_len(const struct capture_packet *packet)
{
	size_t len = packet->len < WIRE_MAX ? packet->len : WIRE_MAX;

	return len > packet->captured ? len : packet->captured;
}

struct seen_frame linktype_frame(const struct linktype *linktype,
				 const struct capture_packet *packet)
{
	const uint8_t *bytes = packet->bytes;
	struct seen_frame frame = {
		.bytes = bytes,
		.captured = packet->captured,
		.len = wire_len(packet),
		.ethernet = linktype->ethernet,
		.net = linktype->net,
	};

	if (linktype->ethertype < 0)
		frame.type = frame.captured && bytes[0] >> 4 == 6 ? 0x86dd
								  : 0x0800;
	else if (!linktype->ethernet && frame.captured >= linktype->net)
		frame.type = bytes[linktype->ethertype] << 8 |
			     bytes[linktype->ethertype + 1];
	return frame;
}

enum capture_way linktype_way(const struct linktype *linktype,
			      const struct capture_packet *packet)
{
	if (packet->way || !linktype->way || packet->captured <= linktype->way)
		return packet->way;
	return packet->bytes[linktype->way] == SLL_OUTGOING ? CAPTURE_WAY_OUT :
							      CAPTURE_WAY_IN;
}

int linktype_check(const struct seen_key_spec *spec)
{
	for (uint32_t i = 0; i < spec->count; i++)
		if (!spec->field[i].id || spec->field[i].id > SEEN_FIELD_MAX)
			return refused("field %u: unknown to this version; update seenctl",
				       spec->field[i].id);
	if (spec->count > SEEN_KEY_FIELDS_MAX || spec->vxlan[SEEN_VXLAN_PORTS_MAX])
		return refused("key: more fields or ports of VXLAN than this version knows");
	return DONE;
}
