// SPDX-License-Identifier: GPL-2.0
/* seenctl without its main(), because libFuzzer has one. */
#define main seenctl_main
#include "../seenctl/main.c"
