/* SPDX-License-Identifier: GPL-2.0 */
/* Internals of "seenctl pcap": judge packets by a key and report the copies. */
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

/* Maximum number of keys in a dry run. */
#define PCAP_JUDGES	4
/* Number of copies that a dry run with several keys prints for each key. */
#define PCAP_FIRST	5
/* Number of unsupported link types that are counted one by one. */
#define PCAP_TYPES	4

/**
 * struct pcap_copy - a copy of an earlier packet
 * @number: number of the packet in the capture, from 1
 * @time: time of the packet, in ns since 1970
 * @of: number of the original packet; 0: it was forgotten
 * @of_time: time of the original packet, in ns since 1970
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
 * struct pcap_judge - a key and its results
 * @text: the key as text
 * @spec: the key
 * @local: filter of the key
 * @passed: packets that passed within the window
 * @all: @passed holds all these packets; otherwise only those with a known direction
 * @copies: number of copies
 * @both_ways: number of packets that were captured again in the other direction
 * @keyless: number of packets without such a key
 * @cut: number of packets that pass because the capture cut off bytes of their key
 * @part: number of packets among @cut with at least one byte of payload
 * @payload: smallest number of payload bytes of a packet among @part; 0: @part is 0
 * @first: the first copies, including those that count in @both_ways
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

/* Number of packets with an unsupported link type. */
struct pcap_type {
	uint32_t type;
	uint64_t packets;
};

/**
 * struct pcap_pass - a pass through a capture
 * @judge: one key, or in a dry run several keys
 * @judges: number of keys
 * @list: print each copy when it is found
 * @listed: JSON: the array of copies is open
 * @config: configuration of the filters
 * @in: the capture
 * @out: the capture that is written
 * @writes: @out is written; false: a dry run
 * @to: the file of @out
 * @progress: progress bar
 * @timeline: clock that follows the times of the packets
 * @types: unsupported link types
 * @others: number of packets of unsupported link types that are not in @types
 * @packets: number of packets read so far
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
 * @pass: the capture; its timeline is at the time of the packet
 * @packet: the packet
 * @copy: out: the copy and its original, if the packet is a copy
 *
 * Return: 1 if the packet is a copy and is left out, 0 if it passes, -1 without memory.
 */
int pcap_judge(struct pcap_judge *judge, const struct pcap_pass *pass,
	       const struct capture_packet *packet, struct pcap_copy *copy);

/* pcap_show_copy() - print a copy, if pass.list is set */
void pcap_show_copy(struct pcap_pass *pass, const struct pcap_copy *copy);

/* pcap_show() - print the results of a pass that took @seconds */
void pcap_show(struct pcap_pass *pass, double seconds);

#endif
