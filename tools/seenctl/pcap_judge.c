// SPDX-License-Identifier: GPL-2.0
/*
 * Decide whether a packet is a copy of a packet that passed.
 *
 * Direction of error: a packet passes if it has no key, if its link type is not supported,
 * or if the capture cut off bytes of its key. A false positive of the filter leaves out a
 * packet that is not a copy. A repeated packet counts as captured both ways only if its
 * record and an earlier record state opposite directions; otherwise it counts as a copy.
 */
#include "pcap.h"

static void note_cut(struct pcap_judge *judge, const struct seen_frame *frame)
{
	size_t payload = 0;

	if (seen_key_spec_head(&judge->spec))
		payload = seen_frame_payload(&judge->spec, frame);
	if (payload && (!judge->payload || payload < judge->payload))
		judge->payload = payload;
	judge->part += !!payload;
	judge->cut++;
}

static int way_sign(enum capture_way way)
{
	return way == CAPTURE_WAY_UNKNOWN ? 0 : way == CAPTURE_WAY_OUT ? 1 : -1;
}

static int remember(struct pcap_judge *judge, const struct pcap_pass *pass,
		    uint64_t hash, int way)
{
	const struct pair pair = {
		.hash = hash,
		.number = pass->packets,
		.time = pass->in.time,
		.clock = pass->timeline.clock,
		.way = way,
	};

	if (!judge->all && !way)
		return 0;
	return pairs_add(&judge->passed, &pair) ? 0 : -1;
}

/*
 * Pair each outgoing record with one incoming record. For example, a packet that is sent
 * twice on lo has four records: one passes, two are both ways, and one is a copy.
 */
static bool pair_ways(struct pair *pair, int way)
{
	bool opposite = way && (way > 0 ? pair->way < 0 : pair->way > 0);

	pair->way += way;
	return opposite;
}

static void note_copy(struct pcap_judge *judge, const struct pcap_pass *pass,
		      uint64_t hash, int way, struct pcap_copy *copy)
{
	struct pair *pair = NULL;

	*copy = (struct pcap_copy) { pass->packets, pass->in.time };
	if (judge->all || way)
		pair = pairs_find(&judge->passed, hash);
	if (pair) {
		copy->of = pair->number;
		copy->of_time = pair->time;
		copy->both_ways = pair_ways(pair, way);
	}
	if (judge->copies + judge->both_ways < PCAP_FIRST)
		judge->first[judge->copies + judge->both_ways] = *copy;
	judge->copies += !copy->both_ways;
	judge->both_ways += copy->both_ways;
}

int pcap_judge(struct pcap_judge *judge, const struct pcap_pass *pass,
	       const struct capture_packet *packet, struct pcap_copy *copy)
{
	const struct linktype *linktype = linktype_find(packet->type);
	struct seen_frame frame;
	uint64_t hash;
	int result, way;

	if (!linktype) {
		judge->keyless++;
		return 0;
	}
	frame = linktype_frame(linktype, packet);
	result = seen_frame_test_and_add(judge->local, &judge->spec, &frame,
					 &hash);
	way = way_sign(linktype_way(linktype, packet));
	if (result == SEEN_FRAME_CUT)
		note_cut(judge, &frame);
	judge->keyless += result == SEEN_FRAME_KEYLESS;
	if (result == SEEN_KEY_RESULT_NEW)
		return remember(judge, pass, hash, way);
	if (result != SEEN_KEY_RESULT_SEEN)
		return 0;
	note_copy(judge, pass, hash, way, copy);
	return 1;
}
