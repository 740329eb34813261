/* SPDX-License-Identifier: GPL-2.0 */
/* Error texts that several files use, so that a condition has one text. */
#ifndef SEEN_TEXT_H
#define SEEN_TEXT_H

/* @what: attribute or object, as a string literal */
#define SEEN_TEXT_MEMORY(what) \
	what ": not enough memory; free some or raise the limit of the cgroup"
#define SEEN_TEXT_EQUAL(what)	what ": must be equal in both filters"
#define SEEN_TEXT_OTHER(what)	what ": must be another filter"
#define SEEN_TEXT_DEV(what)	what ": not a valid device name"
#define SEEN_TEXT_LENGTHS(list) \
	"keys: the " list " already has prefixes of 64 lengths; use one of these lengths"

#define SEEN_TEXT_REHASH_CAP	"memory: cap reached, cannot rehash the map"
#define SEEN_TEXT_REHASH_MEMORY	"memory: not enough memory to rehash the map"

#endif
