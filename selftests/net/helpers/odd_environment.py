#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""usage: odd_environment.py PROGRAM WORD...

Becomes the program, with variables that `monitor --exec` must remove: two usual ones, one with a
long name, and an entry without "="."""

import ctypes
import os
import sys

ODD = ("SEEN_OLD=1", "SEEN_PORT=wrong", "SEEN_" + "X" * 300 + "=1", "SEEN_ALONE")


def array(texts):
    pointers = (ctypes.c_char_p * (len(texts) + 1))()
    pointers[:-1] = [os.fsencode(text) for text in texts]
    return pointers


entries = [f"{name}={value}" for name, value in os.environ.items()]
ctypes.CDLL(None).execvpe(os.fsencode(sys.argv[1]), array(sys.argv[1:]), array([*entries, *ODD]))
sys.exit(f"{sys.argv[1]}: cannot be started")
