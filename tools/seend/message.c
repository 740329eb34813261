// SPDX-License-Identifier: GPL-2.0
#include <sodium.h>
#include <string.h>

#include "bytes.h"
#include "message.h"

#define VERSION		1
#define FLAG_SEALED	1
/* Bytes before the sender's id. */
#define SENDER_AT	24

static const char magic[4] = "seen";

_Static_assert(crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES == SEAL_LEN, "seal");
_Static_assert(crypto_sign_BYTES == SIGNATURE_LEN, "signature");
_Static_assert(crypto_sign_SECRETKEYBYTES == SECRET_KEY_LEN, "secret key");
_Static_assert(crypto_sign_PUBLICKEYBYTES == PUBLIC_KEY_LEN, "public key");

void chain_hash(uint8_t head[CHAIN_LEN], const void *first, size_t first_len, const void *bytes,
		size_t len)
{
	crypto_generichash_state state;

	crypto_generichash_init(&state, NULL, 0, CHAIN_LEN);
	crypto_generichash_update(&state, first, first_len);
	crypto_generichash_update(&state, bytes, len);
	crypto_generichash_final(&state, head, CHAIN_LEN);
}

static void message_put_body(const struct group *group, const struct message *message,
			     struct writer *to)
{
	uint8_t *nonce = to->data + to->used;

	if (!group->sealed) {
		put_bytes(to, message->body, message->len);
		return;
	}
	randombytes_buf(nonce, crypto_secretbox_NONCEBYTES);
	crypto_secretbox_easy(nonce + crypto_secretbox_NONCEBYTES, message->body, message->len,
			      nonce, group->seal);
	to->used += message->len + SEAL_LEN;
}

/* Hosts that differ in one of these cannot understand each other. */
static uint64_t message_check(const struct group *group)
{
	return group->check ^ (group->deletes ? 1 : 0) ^ (group->each ? 2 : 0);
}

size_t message_write(const struct group *group, const struct message *message, uint8_t *bytes)
{
	struct writer to = { bytes, MESSAGE_MOST - SIGNATURE_LEN, 0, false };

	if (message->len > BODY_MOST)
		return 0;
	put_bytes(&to, magic, sizeof(magic));
	put_number(&to, VERSION, 1);
	put_number(&to, message->type, 1);
	put_number(&to, group->sealed ? FLAG_SEALED : 0, 1);
	put_number(&to, 0, 1);
	put_number(&to, group->id, 8);
	put_number(&to, message_check(group), 8);
	put_number(&to, group_me(group)->id, 8);
	put_number(&to, message->epoch, 8);
	put_number(&to, message->sequence, 8);
	put_number(&to, message->time, 8);
	put_bytes(&to, message->previous, CHAIN_LEN);
	put_number(&to, message->len + (group->sealed ? SEAL_LEN : 0), 4);
	message_put_body(group, message, &to);
	if (to.full)
		return 0;
	crypto_sign_detached(bytes + to.used, NULL, bytes, to.used, group->secret);
	return to.used + SIGNATURE_LEN;
}

static bool message_may_send(const struct peer *peer, enum message_type type)
{
	return type == MESSAGE_PUBLISH ? peer->publishes : peer->aggregates;
}

/* Decrypt the body, if the group is sealed. */
static bool message_unseal(const struct group *group, uint8_t *scratch, struct message *message)
{
	if (!group->sealed)
		return true;
	if (message->len < SEAL_LEN || message->len - SEAL_LEN > BODY_MOST ||
	    crypto_secretbox_open_easy(scratch, message->body + crypto_secretbox_NONCEBYTES,
				       message->len - crypto_secretbox_NONCEBYTES, message->body,
				       group->seal))
		return false;
	message->body = scratch;
	message->len -= SEAL_LEN;
	return true;
}

bool message_glance(const struct group *group, const uint8_t *bytes, size_t len, size_t *peer,
		    uint64_t *sequence)
{
	struct cursor from = { bytes, len, false };
	int place;

	if (len < MESSAGE_LEAST)
		return false;
	get_bytes(&from, SENDER_AT);
	place = group_peer(group, get_number(&from, 8));
	*peer = place;
	get_number(&from, 8);
	*sequence = get_number(&from, 8);
	return place >= 0;
}

enum reason message_read(const struct group *group, const uint8_t *bytes, size_t len,
			 uint8_t *scratch, struct message *message)
{
	struct cursor from = { bytes, len, false };
	uint64_t check, flags, body;
	const uint8_t *head;
	int peer;

	message->peer = PEERS_MAX;
	if (len < MESSAGE_LEAST || len > MESSAGE_MOST)
		return REASON_SIZE;
	head = get_bytes(&from, sizeof(magic));
	if (memcmp(head, magic, sizeof(magic)) || get_number(&from, 1) != VERSION)
		return REASON_FORMAT;
	message->type = get_number(&from, 1);
	flags = get_number(&from, 1);
	if (message->type < MESSAGE_PUBLISH || message->type > MESSAGE_FRAME ||
	    flags > FLAG_SEALED || get_number(&from, 1))
		return REASON_FORMAT;
	if (get_number(&from, 8) != group->id)
		return REASON_GROUP;
	check = get_number(&from, 8);
	peer = group_peer(group, get_number(&from, 8));
	if (peer < 0)
		return REASON_SENDER;
	if (crypto_sign_verify_detached(bytes + len - SIGNATURE_LEN, bytes, len - SIGNATURE_LEN,
					group->peers[peer].key))
		return REASON_FORGED;
	message->peer = peer;
	message->epoch = get_number(&from, 8);
	message->sequence = get_number(&from, 8);
	message->time = get_number(&from, 8);
	memcpy(message->previous, get_bytes(&from, CHAIN_LEN), CHAIN_LEN);
	body = get_number(&from, 4);
	if (body != len - MESSAGE_LEAST)
		return REASON_FORMAT;
	message->body = from.data;
	message->len = body;
	if (!message_may_send(&group->peers[peer], message->type))
		return REASON_SENDER;
	if (check != message_check(group))
		return REASON_CHECK;
	if (flags != (group->sealed ? FLAG_SEALED : 0) ||
	    !message_unseal(group, scratch, message))
		return REASON_SEAL;
	return REASON_NONE;
}
