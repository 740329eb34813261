/* SPDX-License-Identifier: GPL-2.0 */
/* Payload: bytes of a packet as they are in every copy of it. */
#ifndef SEEN_PAYLOAD_H
#define SEEN_PAYLOAD_H

#include "packet.h"

/**
 * seen_payload_copy() - copy bytes but for what hardware may fill in late
 * @p: the packet, taken apart
 * @off: from skb->data, in the packet
 * @len: bytes, of which none lies past the packet's end
 * @to: where to
 *
 * A packet that waits for its checksum (CHECKSUM_PARTIAL) may come back with
 * it. So the checksum of the transport header is zero here, and one further
 * inside, of what a tunnel carries, is finished.
 *
 * Context: any; no allocation.
 * Return: true, or false: they lie in a device's memory, out of reach.
 */
bool seen_payload_copy(const struct seen_packet *p, int off, int len, u8 *to);

#endif
