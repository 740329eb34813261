/* SPDX-License-Identifier: GPL-2.0 */
/* The memory available for a table. Internal to libseen. */
#ifndef LIBSEEN_MEMORY_H
#define LIBSEEN_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/**
 * seen_memory_free() - bytes that this process may still allocate
 * @root: prefix of /proc and of the cgroup folders; "" except in tests
 *
 * The minimum of MemAvailable; of the room in the process's cgroup and its parents (memory.max
 * and memory.high of version 2, memory.limit_in_bytes of version 1); and of RLIMIT_AS. Page
 * cache counts as free, because the kernel reclaims it. Swap does not count, because a filter in
 * swap reads the disk for each key.
 *
 * Return: bytes.
 */
uint64_t seen_memory_free(const char *root);

/**
 * seen_memory_check() - refuse a table before it is allocated
 * @keys: capacity, for the error text
 * @bytes: size of the table
 *
 * Return: 0, or -ENOMEM with a text in seen_local_error().
 */
int seen_memory_check(uint64_t keys, uint64_t bytes);

/* cgroup.c: seen_cgroup_free() - bytes that the limits of cgroups leave; UINT64_MAX: no limit */
uint64_t seen_cgroup_free(const char *root);

#endif
