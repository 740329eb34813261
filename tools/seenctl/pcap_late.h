/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PCAP_LATE_H
#define PCAP_LATE_H

/* pcap_ready() - before any other call of libpcap: DONE, or REFUSED and said so */
int pcap_ready(void);

#endif
