/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a process remembers of the kernel's replies, so that what it asks next makes
 * sense: filters by name, an export under way, an import under way.
 */
#ifndef MEMORY_H
#define MEMORY_H

#include "draw.h"
#include "ledger.h"

/* Names of filters that are drawn from; few, so that requests meet. */
#define NAMES		14
/* With those of the process's own, behind them. */
#define ALL_NAMES	(NAMES + OWN)
/* Bytes of the longest reply to the beginning of an export. */
#define HEAD_MAX	8192

/**
 * struct known_filter - as it was when last told; it may be another by now
 * @type: enum seen_type, 0: not known
 * @key_len: bytes of a key, 0: any
 * @prefix: place of a prefix length in a key, from 1 on; 0: it has none
 * @head: bytes of a key before its payload, 0: it has none
 * @first: bitmap: of its range
 * @id: of one that is no process's own; 0: not known
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
 * struct transfer - a filter on its way out and in again
 * @head: attributes that the export began with
 * @head_len: bytes of these; 0: there is no export
 * @name: whose
 * @cookie: of the export
 * @next: unit where it goes on; 0 with @begun: it is at its end
 * @begun: there has been a chunk
 * @from: first unit of @data
 * @data: the last chunk
 * @data_len: bytes of it, 0: none that waits
 * @age: of it
 * @import: the import's cookie, 0: there is none
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

/* Guards that are remembered. */
#define GUARDS		8

/* A guard, as it was when last told; @id 0: none. */
struct known_guard {
	uint32_t id;
	uint32_t kind;
	uint32_t hook;
	char dev[16];
};

/**
 * struct memory - of a process
 * @owner: its number
 * @filters: by name
 * @guards: those told last
 * @next_guard: which one the next takes the place of
 * @transfer: under way
 */
struct memory {
	uint32_t owner;
	struct known_filter filters[ALL_NAMES];
	struct known_guard guards[GUARDS];
	uint32_t next_guard;
	struct transfer transfer;
};

/* memory_read() - what the attributes of a filter say of it */
void memory_read(const uint8_t *attrs, uint32_t len,
		 struct known_filter *filter);

/*
 * memory_pick() - the number of a filter of these types, if one is known
 * @own: of the process's own
 */
uint32_t memory_pick(const struct memory *memory, struct draw *draw, bool own,
		     uint32_t types);

/* memory_name() - of a filter by number */
void memory_name(const struct memory *memory, uint32_t number, char *name);

/* memory_id() - of a filter that is no process's own, by name; 0: not known */
uint32_t memory_id(const struct memory *memory, const char *name);

/* memory_knows() - is it the id of such a filter? */
bool memory_knows(const struct memory *memory, uint32_t id);

/* memory_hear() - a reply */
void memory_hear(struct memory *memory, const struct reply *reply);

/* memory_done() - what a request made of it, given the kernel's answer */
void memory_done(struct memory *memory, const struct message *message, int err);

#endif
