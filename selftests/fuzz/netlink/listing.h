/* SPDX-License-Identifier: GPL-2.0 */
/* The objects of a namespace: from a dump, and from a request for one object. */
#ifndef LISTING_H
#define LISTING_H

#include "message.h"

/* Filters, or guards, in a namespace: more than the pools have names for. */
#define LISTED		64
#define ITEM_MAX	8192

/**
 * struct item - a filter or a guard
 * @len: bytes of @attrs
 * @ports: number of ports, for a guard
 * @attrs: attributes from the kernel
 */
struct item {
	uint32_t len;
	uint32_t ports;
	uint8_t attrs[ITEM_MAX];
};

/**
 * struct listing - all filters, or all guards
 * @count: number of @items
 * @interrupted: the kernel reports a change during the dump
 * @items: in the order of the dump
 */
struct listing {
	uint32_t count;
	bool interrupted;
	struct item items[LISTED];
};

/* listing_read() - dump by SEEN_CMD_FILTER_GET or _GUARD_GET, over a socket of its own */
void listing_read(int fd, uint16_t family, uint8_t cmd,
		  struct listing *listing);

/* listing_get() - request the object that @like identifies. Return: errno, or 0 */
int listing_get(int fd, uint16_t family, uint8_t cmd, const struct item *like,
		struct item *item);

/* The identity of an object: put into a request, and as text. */
void listing_put_id(struct message *message, uint8_t cmd,
		    const struct item *item);
const char *listing_name(uint8_t cmd, const struct item *item);

/* listing_has() - is there an object with this name? */
bool listing_has(const struct listing *listing, uint8_t cmd, const char *name);

/* item_u64(), item_u32(), item_flag(), item_text() - the value of an attribute */
uint64_t item_u64(const struct item *item, uint16_t type);
uint32_t item_u32(const struct item *item, uint16_t type);
bool item_flag(const struct item *item, uint16_t type);
/* "" if the attribute is missing */
const char *item_text(const struct item *item, uint16_t type);
/* item_nested() - an attribute in the nest @nest, or NULL */
const struct nlattr *item_nested(const struct item *item, uint16_t nest, uint16_t type);

#endif
