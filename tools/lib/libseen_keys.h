/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libseen: keys of the kernel's filters. libseen.h states units, errors and threads.
 */
#ifndef LIBSEEN_KEYS_H
#define LIBSEEN_KEYS_H

#include "libseen_client.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes for the keys of one request: enough for at least one key of any length. */
#define SEEN_KEYS_BYTES		65500
/* Keys that fit the structure; today's kernel accepts fewer. */
#define SEEN_KEYS_ROOM		8192

/**
 * struct seen_keys - a request for many keys, and its answer
 * @count: keys in the request
 * @size: bytes used of @data
 * @brief: an add without values does not fill @result; this is faster
 * @has_values: an add of map keys: @value has a value for each key
 * @failed: answer: the key with index @done was refused, and no later key was tried
 * @got_values: answer: @value was filled
 * @done: answer: keys that were done
 * @added: answer to an add: keys that were new
 * @stale: answer to an add: keys that were not stored because the sweep is late
 * @reserved: 0
 * @result: answer: enum seen_key_result of each key that was done
 * @value: add to a map: value of each key; answer to a count: the counts, or a map's values
 * @data: keys, in the format of SEEN_A_KEY_PACKED
 *
 * Clear all members before @result. Then call seen_keys_reserve() and seen_keys_commit() for
 * each key.
 */
struct seen_keys {
	uint32_t count;
	uint32_t size;
	bool brief;
	bool has_values;
	bool failed;
	bool got_values;
	uint32_t done;
	uint32_t added;
	uint32_t stale;
	uint32_t reserved[8];
	uint8_t result[SEEN_KEYS_ROOM];
	uint32_t value[SEEN_KEYS_ROOM];
	uint8_t data[SEEN_KEYS_BYTES];
};

/**
 * seen_keys_reserve() - find room for one more key
 * @keys: the request
 * @len: most bytes that the key may have
 *
 * Context: any thread, one at a time for @keys.
 * Return: where to write the key, or NULL: the request is full, send it first.
 */
uint8_t *seen_keys_reserve(struct seen_keys *keys, size_t len);

/**
 * seen_keys_commit() - add the key that was written to the reserved place
 * @keys: the request
 * @len: bytes of the key
 *
 * Context: any thread, one at a time for @keys.
 */
void seen_keys_commit(struct seen_keys *keys, uint16_t len);

/**
 * seen_keys_send() - add, test, count or delete the keys
 * @client: the connection
 * @cmd: SEEN_CMD_KEY_ADD, _TEST, _DEL or _COUNT, SEEN_CMD_ALLOW_ADD or _DEL
 * @filter: name
 * @if_new: add only keys that are not seen
 * @keys: in: the keys; out: the answer
 *
 * If the kernel refuses a key, it has still processed the @keys->done keys before that key.
 *
 * Context: one thread at a time for each client.
 * Return: 0; -ENOSPC: the filter is full; -EOVERFLOW: the filter already has eight copies of
 * the key; -E2BIG: the filter already has 64 other prefix lengths; -EAGAIN: the filter was
 * replaced during the request; another negative errno of libseen.h.
 */
int seen_keys_send(struct seen_client *client, enum seen_cmd cmd,
		   const char *filter, bool if_new, struct seen_keys *keys);

/**
 * seen_top_fn() - the callback for a key of seen_top_keys()
 * @key: canonical bytes, valid until the callback returns
 * @len: bytes of @key
 * @count: estimated number of times that the key was counted
 * @context: from the caller of seen_top_keys()
 *
 * Context: the thread that calls seen_top_keys(). The callback must not use the client of that
 * call: its functions return -EBUSY. The callback may use another client.
 * Return: 0 to continue; a negative errno ends seen_top_keys(), which returns it.
 */
typedef int (*seen_top_fn)(const uint8_t *key, size_t len, uint32_t count, void *context);

/**
 * seen_top_keys() - read the heaviest keys of a sketch, heaviest first
 * @client: the connection
 * @filter: name
 * @tell: called for each key
 * @context: handed to @tell
 *
 * Context: one thread at a time for each client.
 * Return: 0; the value that @tell returned; -EAGAIN: the sweep is late, so that counts are not
 * available; another negative errno of libseen.h.
 */
int seen_top_keys(struct seen_client *client, const char *filter, seen_top_fn tell,
		  void *context);

/**
 * seen_key_fn() - the callback for a key of seen_allow_list()
 * @key: canonical bytes, valid until the callback returns
 * @len: bytes of @key
 * @context: from the caller of seen_allow_list()
 *
 * Context: the thread that calls seen_allow_list(). The callback must not use the client of
 * that call: its functions return -EBUSY. The callback may use another client.
 * Return: 0 to continue; a negative errno ends seen_allow_list(), which returns it.
 */
typedef int (*seen_key_fn)(const uint8_t *key, size_t len, void *context);

/**
 * seen_allow_list() - read the allow list of a filter: keys that it never judges
 * @client: the connection
 * @filter: name
 * @tell: called for each key
 * @context: handed to @tell
 *
 * A key that stays on the list during the call is reported exactly once. A key that is added or
 * deleted during the call may be reported or not.
 *
 * Context: one thread at a time for each client.
 * Return: 0; the value that @tell returned; another negative errno of libseen.h.
 */
int seen_allow_list(struct seen_client *client, const char *filter, seen_key_fn tell,
		    void *context);

#ifdef __cplusplus
}
#endif

#endif
