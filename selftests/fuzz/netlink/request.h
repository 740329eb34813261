/* SPDX-License-Identifier: GPL-2.0 */
/* Requests that the kernel may take: by its policy, with values from pools. */
#ifndef REQUEST_H
#define REQUEST_H

#include "draw.h"
#include "memory.h"

/* request_make() - the next one, whichever */
void request_make(struct draw *draw, const struct memory *memory,
		  struct message *message);

/* request_put_any() - an attribute that is in no recipe, of any command's policy */
void request_put_any(struct draw *draw, struct message *message, uint16_t type);

/* of the objects; message->cmd says what is asked */
void request_filter(struct draw *draw, const struct memory *memory,
		    struct message *message);
void request_transfer(struct draw *draw, const struct memory *memory,
		      struct message *message);
void request_key(struct draw *draw, const struct memory *memory,
		 struct message *message);
void request_guard(struct draw *draw, const struct memory *memory,
		   struct message *message);

/* request_put_ids() - ids of filters beside their names, or in their place, now and then */
void request_put_ids(struct draw *draw, const struct memory *memory,
		     struct message *message);

/*
 * request_tame_ids() - ids of no filter in place of those that may be another process's
 * own: only that process changes its own filters
 */
void request_tame_ids(const struct memory *memory, struct message *message);

#endif
