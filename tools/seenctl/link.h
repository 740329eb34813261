/* SPDX-License-Identifier: GPL-2.0 */
/* Link types that captures may have, and packets in them. */
#ifndef SEENCTL_LINK_H
#define SEENCTL_LINK_H

#include <pcap/pcap.h>

#include "../lib/frame.h"

/**
 * struct link - a link type that captures may have
 * @type: DLT_x
 * @ethernet: the frames begin with an Ethernet header
 * @net: bytes before the network header
 * @ethertype: where the ethertype is; -1: nowhere, it is IP
 */
struct link {
	int type;
	bool ethernet;
	uint16_t net;
	int ethertype;
};

/* link_of() - a capture's, or NULL and said so */
const struct link *link_of(pcap_t *capture);

/* link_frame() - a packet of it: @head, and the @bytes that were captured */
struct seen_frame link_frame(const struct link *link, const uint8_t *bytes,
			     const struct pcap_pkthdr *head);

/* link_check() - are all fields of a key known? DONE, or REFUSED and said so */
int link_check(const struct seen_key_spec *spec);

#endif
