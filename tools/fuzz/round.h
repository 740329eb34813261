/* SPDX-License-Identifier: GPL-2.0 */
/* What was added, told as the command that adds it, must be added again. */
#ifndef SEEN_FUZZ_ROUND_H
#define SEEN_FUZZ_ROUND_H

#include "kernel.h"

/* round_trip() - ends the fuzzer if `save` does not tell what was added */
void round_trip(const struct kept *added);

#endif
