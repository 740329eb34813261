/* SPDX-License-Identifier: GPL-2.0 */
/* The output of `save` must add the same objects again. */
#ifndef SEEN_FUZZ_ROUND_H
#define SEEN_FUZZ_ROUND_H

#include "kernel.h"

/* round_trip() - abort if `save` does not reproduce the request @added */
void round_trip(const struct kept *added);

#endif
