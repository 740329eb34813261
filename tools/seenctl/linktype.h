/* SPDX-License-Identifier: GPL-2.0 */
/* Link types of captures, and how keys are made of their packets. */
#ifndef SEENCTL_LINKTYPE_H
#define SEENCTL_LINKTYPE_H

#include "../lib/frame.h"
#include "capture.h"

#define LINKTYPE_ETHERNET	1
#define LINKTYPE_NAME_LEN	32

struct linktype;

/* linktype_find() - look up LINKTYPE_x; NULL: keys cannot be made of its packets */
const struct linktype *linktype_find(uint32_t type);

/*
 * linktype_name() - name of LINKTYPE_x, or its number, formatted into @name of
 * LINKTYPE_NAME_LEN bytes
 */
const char *linktype_name(uint32_t type, char *name);

/* linktype_frame() - describe a packet for key extraction; @linktype: of its type, not NULL */
struct seen_frame linktype_frame(const struct linktype *linktype,
				 const struct capture_packet *packet);

/* linktype_way() - direction that the record, or else the cooked header, states */
enum capture_way linktype_way(const struct linktype *linktype,
			      const struct capture_packet *packet);

/* linktype_check() - DONE if this version supports all fields of a key, else REFUSED */
int linktype_check(const struct seen_key_spec *spec);

#endif
