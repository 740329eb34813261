// SPDX-License-Identifier: GPL-2.0
/*
 * libFuzzer: an input is a capture, compressed or not. Each record must lie in the capture's
 * memory. If all records are written to a new capture, that capture must have the same packets.
 * If pcapng is written as pcap, this holds for the packets that are not too long for pcap.
 */
#include <stdlib.h>
#include <unistd.h>

#include "../seenctl/capture_out.h"
#include "../seenctl/linktype.h"
#include "../seenctl/seenctl.h"
#include "input.h"

/* Most records that are read of an input: it may expand a thousandfold when decompressed. */
#define RECORDS_MAX	4096

/**
 * struct digest - a digest of all packets of a capture
 * @records: number of records, packets or not
 * @packets: number of packets
 * @hash: of the properties of packets that pcap can store
 */
struct digest {
	uint64_t records;
	uint64_t packets;
	uint64_t hash;
};

static void require(bool good)
{
	if (!good)
		abort();
}

static void mix(struct digest *digest, uint64_t value)
{
	digest->hash = (digest->hash ^ value) * UINT64_C(0x100000001b3);
}

static void take_packet(struct digest *digest, const struct capture_record *record)
{
	const struct capture_packet *packet = &record->packet;
	const struct linktype *linktype = linktype_find(packet->type);
	char name[LINKTYPE_NAME_LEN];

	require(packet->bytes >= record->raw &&
		packet->bytes + packet->captured <= record->raw + record->size);
	require(*linktype_name(packet->type, name));
	if (linktype) {
		require(linktype_frame(linktype, packet).len >=
			packet->captured);
		linktype_way(linktype, packet);
	}
	digest->packets++;
	mix(digest, packet->type);
	mix(digest, packet->captured);
	mix(digest, packet->len);
	for (uint32_t i = 0; i < packet->captured; i++)
		mix(digest, packet->bytes[i]);
}

static struct digest read_all(struct capture *in, struct capture_out *out)
{
	struct digest digest = {};
	struct capture_record record;

	for (int i = 0; i < RECORDS_MAX && capture_next(in, &record) > 0; i++) {
		uint64_t longer = out ? out->longer : 0;

		digest.records++;
		if (out && !out->err)
			capture_out_write(out, &record);
		if (record.kind == CAPTURE_PACKET && (!out || out->longer == longer))
			take_packet(&digest, &record);
	}
	return digest;
}

/* Closes @fd. */
static void check_written(int fd, const struct digest *want)
{
	struct digest got;
	struct capture in;

	lseek(fd, 0, SEEK_SET);
	require(capture_open(&in, fd));
	got = read_all(&in, NULL);
	require(!*in.error);
	require(got.packets == want->packets && got.hash == want->hash);
	capture_close(&in);
}

static void write_as(const uint8_t *data, size_t size, const char *name)
{
	int fd = input_file(NULL, 0);
	struct capture_out out;
	struct digest digest;
	struct capture in;
	bool written;

	if (!capture_open(&in, input_file(data, size))) {
		require(*in.error);
		capture_close(&in);
		close(fd);
		return;
	}
	require(!capture_out_open(&out, &in, fd, name));
	digest = read_all(&in, &out);
	written = !capture_out_close(&out);
	require(written || in.format == &capture_ng);
	capture_close(&in);
	/* A capture whose beginning is damaged has no records. */
	if (written && digest.records)
		check_written(fd, &digest);
	else
		close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = {
		"same", "same.gz", "same.zst", "same.lz4", "other.pcap",
	};

	ctl = (struct seenctl) { .object = "", .command = "" };
	if (!size)
		return 0;
	write_as(data + 1, size - 1, names[*data % ARRAY_SIZE(names)]);
	return 0;
}
