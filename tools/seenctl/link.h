/* SPDX-License-Identifier: GPL-2.0 */
/* Link types that captures may have, and packets in them. */
#ifndef SEENCTL_LINK_H
#define SEENCTL_LINK_H

#include "../lib/frame.h"
#include "capture.h"

#define LINK_ETHERNET	1
#define LINK_NAME_LEN	32

struct link;

/* link_find() - by LINKTYPE_x; NULL: keys cannot be made of its packets */
const struct link *link_find(uint32_t type);

/* link_name() - of any link type; @name, of LINK_NAME_LEN bytes, is returned */
const char *link_name(uint32_t type, char *name);

/* link_frame() - a packet as keys are made of it; @link: of its type, not NULL */
struct seen_frame link_frame(const struct link *link,
			     const struct capture_packet *packet);

/* link_way() - where it went: as its record or its cooked header states it */
enum capture_way link_way(const struct link *link,
			  const struct capture_packet *packet);

/* link_check() - are all fields of a key known? DONE, or REFUSED and said so */
int link_check(const struct seen_key_spec *spec);

#endif
