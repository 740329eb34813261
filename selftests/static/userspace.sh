#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The interfaces between kernel and userspace: core calls no function that allocates memory, and
# the structure that iptables passes to the kernel has the same layout in 32-bit programs.

. "$(dirname "$0")/../lib.sh"
cd "$(dirname "$0")/../.." || exit

# layout BITS: checks the layout of the match's info. Compiles only, so no 32-bit libraries are
# needed.
layout() {
	clang "-m$1" -Wall -Wextra -Werror -fsyntax-only -I uapi \
		-I "/usr/include/$(gcc -print-multiarch)" -x c - <<-'END'
	#include <stddef.h>
	#include <linux/netfilter/xt_seen.h>

	#define AT(member, offset)					\
		_Static_assert(offsetof(struct xt_seen_info, member) ==	\
			       (offset), #member)

	AT(filter, 0);
	AT(op, 32);
	AT(flags, 33);
	AT(reserved, 34);
	AT(over, 36);
	AT(binding, 40);
	_Static_assert(sizeof(struct xt_seen_info) == 48, "size");
	_Static_assert(_Alignof(struct xt_seen_info) == 8, "alignment");
	END
}

# core_calls OBJECT...: symbols that the objects need and that none of them defines.
core_calls() {
	[ -e "$1" ] || echo "$1"
	comm -23 <(nm -u "$@" | awk 'NF == 2 { print $2 }' | sort -u) \
		<(nm --defined-only "$@" | awk 'NF == 3 { print $3 }' | sort -u)
}

# core may call the clock, the locks of the userspace build, and functions that compilers insert.
may='_GLOBAL_OFFSET_TABLE_|mem(cmp|cpy|move|set)|seen_now|'
may+='pthread_mutex_(init|lock|trylock|unlock)'

plan 3
is "core calls no function that allocates memory" \
	"$(core_calls build/tools/obj/core/*.o | grep -vxE "$may")" ""
for bits in 32 64; do
	check "the layout of the match's info, $bits bits" layout $bits
done
