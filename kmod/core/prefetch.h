/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SEEN_CORE_PREFETCH_H
#define SEEN_CORE_PREFETCH_H

#include "set.h"

/*
 * Number of keys that a caller prefetches ahead: enough to cover a cache miss. With
 * half as many, a lookup in a Bloom filter of 10^7 keys takes a third longer; twice as
 * many save no time.
 */
#define SEEN_AHEAD	32

/**
 * seen_set_prefetch() - start loading the memory of a key
 * @set: the set
 * @hash: hash of the key
 *
 * For callers that look up many keys at once, so that their cache misses overlap. This
 * is only a hint: a wrong address costs time but changes no answer.
 *
 * Return: false if the kind is not supported.
 */
bool seen_set_prefetch(const struct seen_set *set, u64 hash);

#endif
