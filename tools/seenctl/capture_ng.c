// SPDX-License-Identifier: GPL-2.0
/*
 * pcapng: sections of blocks (draft-ietf-opsawg-pcapng). Each section has its own byte
 * order and interfaces. A block of an unknown type is a CAPTURE_OTHER record.
 */
#include <stdlib.h>

#include "capture.h"

#define BLOCK_MIN	12
#define SECTION_MIN	28
#define INTERFACE_MIN	20
#define PACKET_HEAD	28
#define PACKET_MIN	32
#define SIMPLE_HEAD	12
#define SIMPLE_MIN	16
#define OPTION		4

enum block {
	BLOCK_INTERFACE	= 1,
	BLOCK_OLD	= 2,
	BLOCK_SIMPLE	= 3,
	BLOCK_PACKET	= 6,
	BLOCK_SECTION	= 0x0a0d0d0a,
};

enum option {
	OPTION_END	= 0,
	OPTION_FLAGS	= 2,	/* packet */
	OPTION_RESOL	= 9,	/* interface */
	OPTION_OFFSET	= 14,	/* interface */
};

/* The options of a block that are not read yet. */
struct options {
	const struct capture *in;
	const uint8_t *at;
	size_t left;
};

/* Read the next option. Returns its code, or OPTION_END, also if the list is damaged. */
static unsigned int next_option(struct options *list, const uint8_t **value,
				size_t *len)
{
	unsigned int code;
	size_t padded;

	if (list->left < OPTION)
		return OPTION_END;
	code = capture_u16(list->in, list->at);
	*len = capture_u16(list->in, list->at + 2);
	*value = list->at + OPTION;
	padded = OPTION + (*len + 3) / 4 * 4;
	if (padded > list->left)
		return OPTION_END;
	list->at += padded;
	list->left -= padded;
	return code;
}

/*
 * Set @in->swapped for the section. Returns 1 if its byte order is not that of this
 * machine, 0 if it is, -1 if the section header is damaged.
 */
static int order_of(struct capture *in)
{
	for (int swapped = 0; swapped < 2; swapped++) {
		in->swapped = swapped;
		if (capture_u32(in, capture_here(in) + 8) == 0x1a2b3c4d)
			return swapped;
	}
	return capture_fail(in, "damaged: a section header without a byte-order magic");
}

static bool ng_open(struct capture *in)
{
	if (!capture_need(in, BLOCK_MIN))
		return capture_fail(in, "truncated: it ends within its header") >= 0;
	return order_of(in) >= 0;
}

static int take_section(struct capture *in, struct capture_record *record)
{
	unsigned int major;

	if (record->size < SECTION_MIN)
		return capture_fail(in, "damaged: a section header of %zu bytes",
				    record->size);
	major = capture_u16(in, record->raw + 12);
	if (major != 1)
		return capture_fail(in, "pcapng version %u is not supported", major);
	record->kind = CAPTURE_HEAD;
	in->ports = 0;
	return 1;
}

static struct capture_port *add_port(struct capture *in)
{
	struct capture_port *port = in->port;

	if (in->ports == in->room) {
		in->room = in->room ? 2 * in->room : 16;
		port = realloc(in->port, in->room * sizeof(*port));
		if (!port) {
			in->room = in->ports;
			return NULL;
		}
		in->port = port;
	}
	return &in->port[in->ports++];
}

static void take_description(struct capture_record *record,
			     struct options list, struct capture_unit *unit)
{
	const uint8_t *value;
	unsigned int code;
	size_t len;

	while ((code = next_option(&list, &value, &len))) {
		if (code == OPTION_RESOL && len == 1)
			unit->resolution = *value;
		else if (code == OPTION_OFFSET && len == 8)
			unit->offset = capture_u64(list.in, value);
		else
			record->options = true;
	}
}

static int take_interface(struct capture *in, struct capture_record *record)
{
	struct options list = { in, record->raw + 16, record->size - 20 };
	struct capture_port *port;

	if (record->size < INTERFACE_MIN)
		return capture_fail(in, "damaged: an interface block of %zu bytes",
				    record->size);
	port = add_port(in);
	if (!port)
		return capture_fail(in, "not enough memory for %zu interfaces", in->ports);
	*port = (struct capture_port) {
		.type = capture_u16(in, record->raw + 8),
		.snaplen = capture_u32(in, record->raw + 12),
		.unit.resolution = 6,
	};
	take_description(record, list, &port->unit);
	record->kind = CAPTURE_INTERFACE;
	return 1;
}

static void take_flags(struct capture_record *record, struct options list)
{
	static const enum capture_way ways[] = {
		CAPTURE_WAY_UNKNOWN, CAPTURE_WAY_IN, CAPTURE_WAY_OUT,
		CAPTURE_WAY_UNKNOWN,
	};
	const uint8_t *value;
	unsigned int code;
	size_t len;

	while ((code = next_option(&list, &value, &len))) {
		record->options = true;
		if (code == OPTION_FLAGS && len == 4)
			record->packet.way = ways[capture_u32(list.in, value) & 3];
	}
}

static uint32_t port_of(const struct capture *in,
			const struct capture_record *record)
{
	if (capture_u32(in, record->raw) == BLOCK_OLD)
		return capture_u16(in, record->raw + 8);
	return capture_u32(in, record->raw + 8);
}

/* @port: number of the interface */
static int take_header(struct capture *in, struct capture_record *record,
		       uint32_t port)
{
	struct capture_packet *packet = &record->packet;
	const uint8_t *raw = record->raw;

	record->port = port;
	if (port >= in->ports)
		return capture_fail(in, "damaged: a packet names interface %u, there are %zu",
				    port, in->ports);
	packet->type = in->port[port].type;
	packet->time = capture_time(&in->port[port].unit,
				    (uint64_t)capture_u32(in, raw + 12) << 32 |
				    capture_u32(in, raw + 16));
	packet->captured = capture_u32(in, raw + 20);
	packet->len = capture_u32(in, raw + 24);
	packet->bytes = raw + PACKET_HEAD;
	return 1;
}

/* An enhanced or an obsolete packet block: only the field of the interface differs. */
static int take_packet(struct capture *in, struct capture_record *record)
{
	size_t left = record->size - PACKET_MIN;
	size_t padded;

	if (record->size < PACKET_MIN)
		return capture_fail(in, "damaged: a packet block of %zu bytes",
				    record->size);
	if (take_header(in, record, port_of(in, record)) < 0)
		return -1;
	padded = (record->packet.captured + (size_t)3) / 4 * 4;
	if (padded > left)
		return capture_fail(in, "damaged: a packet of %u bytes exceeds its block of %zu",
				    record->packet.captured, record->size);
	take_flags(record, (struct options) {
		in, record->packet.bytes + padded, left - padded });
	record->kind = CAPTURE_PACKET;
	return 1;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* A simple packet block has no time, and belongs to the first interface. */
static int take_simple(struct capture *in, struct capture_record *record)
{
	struct capture_packet *packet = &record->packet;

	if (record->size < SIMPLE_MIN)
		return capture_fail(in, "damaged: a packet block of %zu bytes",
				    record->size);
	if (!in->ports)
		return capture_fail(in, "damaged: a packet precedes its interface");
	packet->len = capture_u32(in, record->raw + 8);
	packet->captured = smaller(packet->len, record->size - SIMPLE_MIN);
	if (in->port->snaplen)
		packet->captured = smaller(packet->captured, in->port->snaplen);
	packet->type = in->port->type;
	packet->time = in->time;
	packet->bytes = record->raw + SIMPLE_HEAD;
	record->kind = CAPTURE_PACKET;
	return 1;
}

static int take_block(struct capture *in, struct capture_record *record)
{
	switch (capture_u32(in, record->raw)) {
	case BLOCK_SECTION:
		return take_section(in, record);
	case BLOCK_INTERFACE:
		return take_interface(in, record);
	case BLOCK_PACKET:
	case BLOCK_OLD:
		return take_packet(in, record);
	case BLOCK_SIMPLE:
		return take_simple(in, record);
	default:
		return 1;
	}
}

static int ng_next(struct capture *in, struct capture_record *record)
{
	uint32_t size;

	if (!capture_need(in, BLOCK_MIN))
		return capture_end(in);
	/*
	 * A new section may have another byte order. The type of its header is a
	 * palindrome, so it can be compared before the order is known.
	 */
	if (capture_u32(in, capture_here(in)) == BLOCK_SECTION && order_of(in) < 0)
		return -1;
	size = capture_u32(in, capture_here(in) + 4);
	if (size < BLOCK_MIN || size % 4 || size > CAPTURE_RECORD_MAX)
		return capture_fail(in, "damaged: a block of %u bytes", size);
	if (!capture_need(in, size))
		return capture_end(in);
	record->raw = capture_here(in);
	record->size = size;
	if (capture_u32(in, record->raw + size - 4) != size)
		return capture_fail(in, "damaged: the two lengths of a block differ");
	in->at += size;
	return take_block(in, record);
}

const struct capture_format capture_ng = { ng_open, ng_next };
