// SPDX-License-Identifier: GPL-2.0
#include <pcap/sll.h>

#include "link.h"
#include "seenctl.h"

static const struct link links[] = {
	{ DLT_EN10MB, .ethernet = true },
	{ DLT_RAW, .ethertype = -1 },
	{ DLT_IPV4, .ethertype = -1 },
	{ DLT_IPV6, .ethertype = -1 },
	{ DLT_LINUX_SLL, .net = SLL_HDR_LEN, .ethertype = SLL_HDR_LEN - 2 },
	{ DLT_LINUX_SLL2, .net = SLL2_HDR_LEN },
};

static const struct link *find(int type)
{
	for (size_t i = 0; i < ARRAY_SIZE(links); i++)
		if (links[i].type == type)
			return &links[i];
	return NULL;
}

const struct link *link_of(pcap_t *capture)
{
	int type = pcap_datalink(capture);
	const struct link *link = find(type);
	const char *name = pcap_datalink_val_to_name(type);

	if (!link)
		refused("link type %s: only Ethernet, raw IP and Linux cooked are known",
			name ? name : "(unknown)");
	return link;
}

/* Packets are not longer; a record may state any number. */
#define WIRE_MAX	16777216

/* On the wire a packet had at least what is there of it. */
static size_t wire_len(const struct pcap_pkthdr *head)
{
	size_t len = head->len < WIRE_MAX ? head->len : WIRE_MAX;

	return len > head->caplen ? len : head->caplen;
}

struct seen_frame link_frame(const struct link *link, const uint8_t *bytes,
			     const struct pcap_pkthdr *head)
{
	struct seen_frame frame = {
		.bytes = bytes,
		.captured = head->caplen,
		.len = wire_len(head),
		.ethernet = link->ethernet,
		.net = link->net,
	};

	if (link->ethertype < 0)
		frame.type = frame.captured && bytes[0] >> 4 == 6 ? 0x86dd
								  : 0x0800;
	else if (!link->ethernet && frame.captured >= link->net)
		frame.type = bytes[link->ethertype] << 8 |
			     bytes[link->ethertype + 1];
	return frame;
}

int link_check(const struct seen_key_spec *spec)
{
	for (uint32_t i = 0; i < spec->count; i++)
		if (!spec->field[i].id || spec->field[i].id > SEEN_FIELD_MAX)
			return refused("field %u: not known to this version",
				       spec->field[i].id);
	return DONE;
}
