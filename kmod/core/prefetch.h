/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SEEN_CORE_PREFETCH_H
#define SEEN_CORE_PREFETCH_H

#include "set.h"

/**
 * seen_set_prefetch() - have the memory of a key on its way
 * @set: the set
 * @hash: of the key
 *
 * For who asks for many keys at once: the misses of all of them overlap. Needed
 * by none: a wrong guess costs time alone.
 */
void seen_set_prefetch(const struct seen_set *set, u64 hash);

#endif
