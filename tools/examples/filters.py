# SPDX-License-Identifier: GPL-2.0
import ctypes
import sys
seen = ctypes.CDLL("libseen.so.1")
seen.seen_error.restype = seen.seen_word.restype = ctypes.c_char_p
types = ctypes.c_char.in_dll(seen, "seen_types")


class Filter(ctypes.Structure):  # the first two members of struct seen_filter_info
    _fields_ = [("name", ctypes.c_char * 64), ("type", ctypes.c_uint32)]


seen.seen_filters_at.restype = ctypes.POINTER(Filter)
client, filters = ctypes.c_void_p(), ctypes.c_void_p()
if seen.seen_open(ctypes.byref(client)) or \
        seen.seen_filter_list(client, ctypes.byref(filters)):
    sys.exit("filters: %s" % seen.seen_error(client).decode())
for index in range(seen.seen_filters_count(filters)):
    info = seen.seen_filters_at(filters, ctypes.c_size_t(index)).contents
    print(info.name.decode(), seen.seen_word(ctypes.byref(types), info.type).decode())
seen.seen_filters_free(filters)
seen.seen_close(client)
