/* SPDX-License-Identifier: GPL-2.0 */
/* Makes requests that the kernel may accept: by its policy, with values from pools. */
#ifndef REQUEST_H
#define REQUEST_H

#include "draw.h"
#include "memory.h"

/* request_make() - make the next request, with any command */
void request_make(struct draw *draw, const struct memory *memory,
		  struct message *message);

/* request_put_any() - put an attribute that no recipe has, from any command's policy */
void request_put_any(struct draw *draw, struct message *message, uint16_t type);

/* Recipes by kind of object; message->cmd is the command. */
void request_filter(struct draw *draw, const struct memory *memory,
		    struct message *message);
void request_transfer(struct draw *draw, const struct memory *memory,
		      struct message *message);
void request_key(struct draw *draw, const struct memory *memory,
		 struct message *message);
void request_guard(struct draw *draw, const struct memory *memory,
		   struct message *message);
void request_feed(struct draw *draw, const struct memory *memory,
		  struct message *message);

/* request_put_ids() - now and then put ids of filters, with their names or instead of them */
void request_put_ids(struct draw *draw, const struct memory *memory,
		     struct message *message);

/*
 * request_tame_ids() - replace ids that may belong to another process's own filter by unknown
 * ones: only the owner may change such a filter
 */
void request_tame_ids(const struct memory *memory, struct message *message);

#endif
