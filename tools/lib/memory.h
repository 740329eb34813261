/* SPDX-License-Identifier: GPL-2.0 */
/* How much memory is there for a table? Inside of libseen. */
#ifndef LIBSEEN_MEMORY_H
#define LIBSEEN_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/**
 * seen_memory_free() - bytes that this process may still take
 * @root: prefix of /proc and of the folders of cgroups; "" except in tests
 *
 * The least of MemAvailable; of what the process's cgroup and its parents leave
 * (memory.max and memory.high of version 2, memory.limit_in_bytes of version 1), where
 * page cache counts as free because the kernel takes it back; and of RLIMIT_AS. Swap
 * does not count: a filter in swap reads the disk for each key.
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

/* cgroup.c: seen_cgroup_free() - the part of it that cgroups decide; UINT64_MAX: no limit */
uint64_t seen_cgroup_free(const char *root);

#endif
