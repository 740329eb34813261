/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages. All numbers are little-endian:
 *
 *	magic "seen", version 1, type, flags, 0
 *	group 8, sender 8		see struct group
 *	check 8				between them; bit 0 is inverted if deletes are sent,
 *					bit 1 in mode each
 *	epoch 8				the aggregator's; of a publisher: the highest it has read
 *	sequence 8			of the sender; an aggregator starts each epoch with 0
 *	time 8				the engine's clock, in ns
 *	previous 16			of an aggregator: head of the chain before this message
 *	length 4, body			if sealed: nonce, and crypto_secretbox of the body
 *	signature 64			Ed25519 over all bytes before it
 *
 * No message changes anything before its signature is verified.
 */
#ifndef SEEND_MESSAGE_H
#define SEEND_MESSAGE_H

#include "group.h"
#include "reason.h"

#define MESSAGE_HEAD	76
#define SIGNATURE_LEN	64
/* Bytes that sealing adds to a body. */
#define SEAL_LEN	(24 + 16)
#define MESSAGE_LEAST	(MESSAGE_HEAD + SIGNATURE_LEN)
#define MESSAGE_MOST	(256 * 1024)
#define BODY_MOST	(MESSAGE_MOST - MESSAGE_LEAST - SEAL_LEN)
#define CHAIN_LEN	16

enum message_type { MESSAGE_PUBLISH = 1, MESSAGE_OUT, MESSAGE_START, MESSAGE_FRAME };

/**
 * struct message - a message without its signature
 * @type: enum message_type
 * @peer: place of the sender in the group; only message_read() sets it, to PEERS_MAX before the
 *	  signature is verified
 * @epoch: see above
 * @sequence: see above
 * @time: see above
 * @previous: see above
 * @body: plain content
 * @len: bytes of @body
 */
struct message {
	enum message_type type;
	size_t peer;
	uint64_t epoch;
	uint64_t sequence;
	uint64_t time;
	uint8_t previous[CHAIN_LEN];
	const uint8_t *body;
	size_t len;
};

/**
 * message_write() - sign a message of this host
 * @group: with this host's secret key
 * @message: its body must not overlap @bytes
 * @bytes: out, MESSAGE_MOST
 *
 * Return: bytes of the message; 0: the body is too long.
 */
size_t message_write(const struct group *group, const struct message *message, uint8_t *bytes);

/**
 * message_read() - verify a message
 * @group: whose hosts may send it
 * @bytes: not trusted
 * @len: of @bytes
 * @scratch: BODY_MOST bytes for the body of a sealed message
 * @message: out; its body points into @bytes or @scratch
 *
 * Return: REASON_NONE; or why the message must be ignored. Then @message->peer is PEERS_MAX, unless
 * the signature is the sender's.
 */
enum reason message_read(const struct group *group, const uint8_t *bytes, size_t len,
			 uint8_t *scratch, struct message *message);

/**
 * message_glance() - what a message says about itself, which may be forged
 * @group: whose hosts may send it
 * @bytes: not trusted
 * @len: of @bytes
 * @peer: out: place of the sender
 * @sequence: out
 *
 * For messages that change nothing if this is true, so that they need not be verified.
 *
 * Return: false: message_read() refuses the message.
 */
bool message_glance(const struct group *group, const uint8_t *bytes, size_t len, size_t *peer,
		    uint64_t *sequence);

/* chain_hash() - BLAKE2b-128 of @first and @bytes: the head of a chain behind a message */
void chain_hash(uint8_t head[CHAIN_LEN], const void *first, size_t first_len, const void *bytes,
		size_t len);

#endif
