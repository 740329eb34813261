# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by tests of files that are damaged.

# flipped FILE BYTE: with one bit of it flipped, as bad.
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
