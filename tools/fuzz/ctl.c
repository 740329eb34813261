// SPDX-License-Identifier: GPL-2.0
/* seenctl, but that the fuzzers' main() is libFuzzer's. */
#define main seenctl_main
#include "../seenctl/main.c"
