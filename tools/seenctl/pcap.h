/* SPDX-License-Identifier: GPL-2.0 */
/* Inside of seenctl pcap: keys that judge packets, and what they report. */
#ifndef SEENCTL_PCAP_H
#define SEENCTL_PCAP_H

#include "capture_out.h"
#include "linktype.h"
#include "pairs.h"
#include "progress.h"
#include "seenctl.h"
#include "timeline.h"
#include "../lib/local.h"
#include "../lib/replace.h"

/* Keys that a dry run tries at most. */
#define PCAP_JUDGES	4
/* Copies that a dry run of several keys prints of each. */
#define PCAP_FIRST	5
/* Link types of packets without a key that are named. */
#define PCAP_TYPES	4

/**
 * struct pcap_copy - a packet that came before
 * @number: of the packet, from 1
 * @time: ns
 * @of: number of the packet that it is a copy of; 0: forgotten
 * @of_time: ns
 * @both_ways: one of the two is outgoing, the other incoming
 */
struct pcap_copy {
	uint64_t number;
	uint64_t time;
	uint64_t of;
	uint64_t of_time;
	bool both_ways;
};

/**
 * struct pcap_judge - a key and what it has found
 * @text: of the key
 * @spec: the key
 * @local: its filter
 * @passed: packets that passed within the window; those of a known way, or all
 * @all: @passed has all
 * @copies: found
 * @both_ways: packets that were captured once more, going the other way
 * @keyless: packets without such a key
 * @cut: packets that pass because the capture cut off bytes of their key
 * @part: those among them that still have some bytes of payload
 * @payload: bytes of payload that each of those has at least; 0: there are none
 * @first: of the copies, both ways or not
 */
struct pcap_judge {
	const char *text;
	struct seen_key_spec spec;
	struct seen_local *local;
	struct pairs passed;
	bool all;
	uint64_t copies;
	uint64_t both_ways;
	uint64_t keyless;
	uint64_t cut;
	uint64_t part;
	size_t payload;
	struct pcap_copy first[PCAP_FIRST];
};

/* Packets of a link type that keys cannot be made of. */
struct pcap_type {
	uint32_t type;
	uint64_t packets;
};

/**
 * struct pcap_pass - through a capture
 * @judge: one, or in a dry run some
 * @judges: number of them
 * @list: each copy is printed when it is found
 * @listed: JSON: the list was begun
 * @config: of the filters
 * @in: the capture
 * @out: the capture that is written
 * @writes: to @out; false: a dry run
 * @to: the file of @out
 * @progress: on the terminal
 * @timeline: of the packets
 * @types: link types that are not known
 * @others: packets of further link types that are not known
 * @packets: read
 */
struct pcap_pass {
	struct pcap_judge judge[PCAP_JUDGES];
	size_t judges;
	bool list;
	bool listed;
	struct seen_filter_config config;
	struct capture in;
	struct capture_out out;
	bool writes;
	struct seen_replace to;
	struct progress progress;
	struct timeline timeline;
	struct pcap_type types[PCAP_TYPES];
	uint64_t others;
	uint64_t packets;
};

/**
 * pcap_judge() - judge the next packet by a key
 * @judge: the key
 * @pass: the capture; its timeline is at the packet
 * @packet: the packet
 * @copy: out: the packet is left out, and why
 *
 * Return: 1: it is left out, 0: it passes, -1: no memory.
 */
int pcap_judge(struct pcap_judge *judge, const struct pcap_pass *pass,
	       const struct capture_packet *packet, struct pcap_copy *copy);

/* pcap_show_copy() - print a copy of @pass->list */
void pcap_show_copy(struct pcap_pass *pass, const struct pcap_copy *copy);

/* pcap_show() - print what was found */
void pcap_show(struct pcap_pass *pass, double seconds);

#endif
