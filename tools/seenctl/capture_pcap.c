// SPDX-License-Identifier: GPL-2.0
/*
 * pcap: a file header of 24 bytes, then packets, each with a header
 * (draft-ietf-opsawg-pcap). A patched libpcap of 1999 wrote longer packet headers.
 */
#include <string.h>

#include "capture.h"

#define HEAD		24
#define RECORD		16
#define RECORD_PATCHED	24
#define RECORD_WAY	22
#define LINKTYPE_MASK	0x03ffffff
#define OUTGOING	4

static const struct {
	uint32_t magic;
	bool nano;
	size_t head;
} variants[] = {
	{ 0xa1b2c3d4, false, RECORD },
	{ 0xa1b23c4d, true, RECORD },
	{ 0xa1b2cd34, false, RECORD_PATCHED },
};

static bool take_magic(struct capture *in)
{
	for (size_t i = 0; i < sizeof(variants) / sizeof(*variants); i++) {
		if (capture_u32(in, capture_here(in)) != variants[i].magic)
			continue;
		in->nano = variants[i].nano;
		in->head = variants[i].head;
		return true;
	}
	return false;
}

static bool pcap_open(struct capture *in)
{
	uint16_t major;

	if (!take_magic(in)) {
		in->swapped = true;
		if (!take_magic(in))
			return capture_fail(in, "not a capture: neither pcap nor pcapng") >= 0;
	}
	if (!capture_need(in, HEAD))
		return capture_fail(in, "truncated: it ends within its header") >= 0;
	major = capture_u16(in, capture_here(in) + 4);
	if (major < 2)
		return capture_fail(in, "pcap version %u is not supported", major) >= 0;
	in->old = major == 2 && capture_u16(in, capture_here(in) + 6) <= 3;
	in->type = capture_u32(in, capture_here(in) + 20) & LINKTYPE_MASK;
	return true;
}

static int pcap_head(struct capture *in, struct capture_record *record)
{
	in->begun = true;
	record->kind = CAPTURE_HEAD;
	record->raw = capture_here(in);
	record->size = HEAD;
	in->at += HEAD;
	return 1;
}

/* Some writers of versions up to 2.3 swapped the two lengths. */
static void take_lengths(const struct capture *in, const uint8_t *head,
			 struct capture_packet *packet)
{
	packet->captured = capture_u32(in, head + 8);
	packet->len = capture_u32(in, head + 12);
	if (in->old && packet->captured > packet->len) {
		packet->len = packet->captured;
		packet->captured = capture_u32(in, head + 12);
	}
}

static void take_packet(const struct capture *in, const uint8_t *head,
			struct capture_packet *packet)
{
	uint64_t second = capture_u32(in, head);
	uint64_t part = capture_u32(in, head + 4);

	packet->type = in->type;
	packet->time = second * 1000000000 + part * (in->nano ? 1 : 1000);
	if (in->head == RECORD_PATCHED)
		packet->way = head[RECORD_WAY] == OUTGOING ? CAPTURE_WAY_OUT :
							     CAPTURE_WAY_IN;
	take_lengths(in, head, packet);
}

static int pcap_next(struct capture *in, struct capture_record *record)
{
	struct capture_packet *packet = &record->packet;

	if (!in->begun)
		return pcap_head(in, record);
	if (!capture_need(in, in->head))
		return capture_end(in);
	take_packet(in, capture_here(in), packet);
	if (packet->captured > CAPTURE_RECORD_MAX)
		return capture_fail(in, "damaged: a packet states %u bytes",
				    packet->captured);
	if (!capture_need(in, in->head + packet->captured))
		return capture_end(in);
	record->kind = CAPTURE_PACKET;
	record->raw = capture_here(in);
	record->size = in->head + packet->captured;
	packet->bytes = record->raw + in->head;
	in->at += record->size;
	return 1;
}

const struct capture_format capture_pcap = { pcap_open, pcap_next };
