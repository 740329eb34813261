/* SPDX-License-Identifier: GPL-2.0 */
/* Link types that captures may have, and packets in them. */
#ifndef SEENCTL_LINKTYPE_H
#define SEENCTL_LINKTYPE_H

#include "../lib/frame.h"
#include "capture.h"

#define LINKTYPE_ETHERNET	1
#define LINKTYPE_NAME_LEN	32

struct linktype;

/* linktype_find() - by LINKTYPE_x; NULL: keys cannot be made of its packets */
const struct linktype *linktype_find(uint32_t type);

/* linktype_name() - of any; @name, of LINKTYPE_NAME_LEN bytes, is returned */
const char *linktype_name(uint32_t type, char *name);

/* linktype_frame() - a packet as keys are made of it; @linktype: of its type, not NULL */
struct seen_frame linktype_frame(const struct linktype *linktype,
				 const struct capture_packet *packet);

/* linktype_way() - where it went: as its record or cooked header states it */
enum capture_way linktype_way(const struct linktype *linktype,
			      const struct capture_packet *packet);

/* linktype_check() - are all fields of a key known? DONE, or REFUSED and why */
int linktype_check(const struct seen_key_spec *spec);

#endif
