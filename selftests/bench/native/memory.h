/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SEEN_BENCH_MEMORY_H
#define SEEN_BENCH_MEMORY_H

#include "bench.h"

/* The page size on the command line is 2M. */
extern bool memory_huge;

#endif
