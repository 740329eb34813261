/* SPDX-License-Identifier: GPL-2.0 */
/*
 * State from the kernel's replies, so that the next requests make sense: the filters by name, a
 * running export, a running import.
 */
#ifndef MEMORY_H
#define MEMORY_H

#include "draw.h"
#include "ledger.h"

/* Names for filters. Few, so that requests of several processes meet. */
#define NAMES		14
/* The same with the process's own filters, which follow. */
#define ALL_NAMES	(NAMES + OWN)
/* Bytes of the longest reply to the beginning of an export. */
#define HEAD_MAX	8192

/**
 * struct known_filter - a filter as last reported; it may be replaced by another one meanwhile
 * @type: enum seen_type, 0: unknown
 * @key_len: bytes of a key, 0: any
 * @prefix: 1 + offset of the prefix length in a key; 0: keys without a prefix
 * @head: bytes of a key before its payload, 0: keys without a payload
 * @first: first key of a bitmap's range
 * @id: id of a filter that no process owns; 0: unknown
 */
struct known_filter {
	uint32_t type;
	uint32_t id;
	uint32_t key_len;
	uint32_t prefix;
	uint32_t head;
	uint8_t first[16];
};

/**
 * struct transfer - an export and the import that follows it
 * @head: attributes in the first reply of the export
 * @head_len: bytes of @head; 0: no export is running
 * @name: name of the exported filter
 * @cookie: cookie of the export
 * @next: first unit of the next chunk; 0 with @begun: the export has ended
 * @begun: a chunk was received
 * @from: first unit of @data
 * @data: the last chunk
 * @data_len: bytes of @data, 0: no chunk waits for the import
 * @age: age of @data
 * @import: cookie of the import, 0: no import is running
 */
struct transfer {
	uint8_t head[HEAD_MAX];
	uint32_t head_len;
	char name[SEEN_NAME_MAX];
	uint64_t cookie;
	uint64_t next;
	bool begun;
	uint64_t from;
	uint8_t data[SEEN_CHUNK_MAX];
	uint32_t data_len;
	uint64_t age;
	uint64_t import;
};

/* Number of guards that are remembered. */
#define GUARDS		8

/* A guard as last reported; @id is 0 if the place is free. */
struct known_guard {
	uint32_t id;
	uint32_t kind;
	uint32_t hook;
	char dev[16];
};

/**
 * struct memory - the memory of a process
 * @owner: number of the process
 * @filters: by name
 * @guards: the guards reported last
 * @next_guard: index of the guard that the next one replaces
 * @transfer: the running export and import
 */
struct memory {
	uint32_t owner;
	struct known_filter filters[ALL_NAMES];
	struct known_guard guards[GUARDS];
	uint32_t next_guard;
	struct transfer transfer;
};

/* memory_read() - read the attributes of a filter */
void memory_read(const uint8_t *attrs, uint32_t len,
		 struct known_filter *filter);

/*
 * memory_pick() - the number of a filter of these types, if one is known
 * @own: pick one of the process's own filters
 */
uint32_t memory_pick(const struct memory *memory, struct draw *draw, bool own,
		     uint32_t types);

/* memory_name() - name of the filter with this number */
void memory_name(const struct memory *memory, uint32_t number, char *name);

/* memory_id() - id of the filter with this name, if no process owns it; 0: unknown */
uint32_t memory_id(const struct memory *memory, const char *name);

/* memory_knows() - is this the id of such a filter? */
bool memory_knows(const struct memory *memory, uint32_t id);

/* memory_hear() - remember a reply */
void memory_hear(struct memory *memory, const struct reply *reply);

/* memory_done() - remember the effect of a request with this result */
void memory_done(struct memory *memory, const struct message *message, int err);

#endif
