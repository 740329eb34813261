/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SEEN_BENCH_MEMORY_H
#define SEEN_BENCH_MEMORY_H

#include "bench.h"

/* What the program was told. */
extern bool memory_huge;

#endif
