# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by tests with damaged files.

# flipped FILE BYTE: copies FILE to the file bad, and flips a bit of this byte.
flipped() {
	cp "$1" bad
	python3 - "$2" <<-'END'
	import sys
	with open("bad", "r+b") as f:
	    f.seek(int(sys.argv[1]))
	    b = f.read(1)
	    f.seek(-1, 1)
	    f.write(bytes([b[0] ^ 4]))
	END
}
