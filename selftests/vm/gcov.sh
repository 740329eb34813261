#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# gcov.sh: prints make's variables for modules that count which of their lines run:
# no count is lost between two CPUs, and what is inlined is counted where it is written.

echo 'GCOV_PROFILE=y KCFLAGS="-fprofile-update=atomic -fno-early-inlining"'
