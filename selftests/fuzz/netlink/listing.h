/* SPDX-License-Identifier: GPL-2.0 */
/* What a namespace holds: as it is listed, and as it is told one by one. */
#ifndef LISTING_H
#define LISTING_H

#include "message.h"

/* Filters, or guards, in one namespace: more than there are names for. */
#define LISTED		64
#define ITEM_MAX	8192

/**
 * struct item - a filter or a guard
 * @len: bytes of @attrs
 * @ports: of a guard: how many
 * @attrs: as told
 */
struct item {
	uint32_t len;
	uint32_t ports;
	uint8_t attrs[ITEM_MAX];
};

/**
 * struct listing - all of one kind
 * @count: of these
 * @interrupted: the kernel says that something came or went meanwhile
 * @items: in the order in which they were told
 */
struct listing {
	uint32_t count;
	bool interrupted;
	struct item items[LISTED];
};

/* listing_read() - a dump, over a socket for nothing else, by SEEN_CMD_FILTER_GET or _GUARD_GET */
void listing_read(int fd, uint16_t family, uint8_t cmd,
		  struct listing *listing);

/* listing_get() - the same object alone; returns errno */
int listing_get(int fd, uint16_t family, uint8_t cmd, const struct item *like,
		struct item *item);

/* listing_name() - what identifies it: put into a request, as text */
void listing_put_id(struct message *message, uint8_t cmd,
		    const struct item *item);
const char *listing_name(uint8_t cmd, const struct item *item);

/* listing_has() - is there one of this name? */
bool listing_has(const struct listing *listing, uint8_t cmd, const char *name);

/* item_u64(), item_u32(), item_flag(), item_text() - one of its attributes */
uint64_t item_u64(const struct item *item, uint16_t type);
uint32_t item_u32(const struct item *item, uint16_t type);
bool item_flag(const struct item *item, uint16_t type);
/* "" if there is none */
const char *item_text(const struct item *item, uint16_t type);

#endif
