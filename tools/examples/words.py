# SPDX-License-Identifier: GPL-2.0
import ctypes
import sys
seen = ctypes.CDLL("libseen.so.1")
seen.seen_local_error.restype = seen.seen_word.restype = ctypes.c_char_p
results = ctypes.c_char.in_dll(seen, "seen_key_results")
words = ctypes.c_void_p()
if seen.seen_local_open(ctypes.byref(words), b"words.seen", None):
    sys.exit("words: %s" % seen.seen_local_error().decode())
for word in sys.argv[1:]:
    key = word.encode()
    result = seen.seen_local_test(words, key, ctypes.c_size_t(len(key)))
    print(word, seen.seen_word(ctypes.byref(results), result).decode())
