#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# places-build.sh KERNEL OUT: builds the module for this guest kernel so that each of its
# allocations can be made to fail (module/places.h), and copies it to the folder OUT.

set -euo pipefail

# Names of kernel functions that allocate.
allocates='(alloc|memdup|strdup|asprintf|get_free_page|get_zeroed_page|_register|^register'
allocates+='|^skb_(copy|clone)|^pskb_|insert|^_*xa_(store|cmpxchg)|create)'
# Functions that places.h wraps, by the names to which its macros expand.
wrapped='__kmalloc_noprof __kmalloc_cache_noprof __kvmalloc_node_noprof
	vmalloc_huge_node_noprof pcpu_alloc_noprof __alloc_skb
	alloc_workqueue_noprof __rhashtable_init_noprof __xa_alloc_cyclic
	rhashtable_insert_slow rht_bucket_nested_insert pskb_expand_head pskb_trim_rcsum_slow
	nf_register_net_hook nf_register_net_hooks register_pernet_subsys register_netdevice_notifier
	netlink_register_notifier genl_register_family register_net_sysctl_sz'
# Symbols that match but allocate nothing: data, a copy of bytes, a list, a tree; and a store that
# replaces an existing entry, see seen_port_take_number().
others='kmalloc_caches skb_copy_bits xt_register_matches rb_insert_color xa_store'

# unwrapped: filters the names from standard input: those that allocate and are not wrapped.
unwrapped() {
	grep -E "$allocates" |
		grep -vxF "$(tr -s '[:space:]' '\n' <<<"$wrapped $others")"
}

here=$(cd "$(dirname "$0")/.." && pwd)
top=$(cd "$here/../.." && pwd)
entry=$("$top/selftests/vm/kernel.sh" "$1")
obj=$top/build/kmod/$1-places
flags=()
[[ $1 != *-gcov ]] || eval "flags=($("$top/selftests/vm/gcov.sh"))"

mkdir -p "$obj" "$2"
cp -rsf "$top/kmod" "$top/uapi" "$obj/"
find "$obj" -xtype l -delete
cp "$here"/module/*.[ch] "$obj/"
cat "$top/Kbuild" "$here/module/Kbuild" >"$obj/Kbuild"
make -s -j2 -C "$entry/build" M="$obj" "${flags[@]}" modules
# xt_seen.ko is not wrapped, so it must not allocate.
calls=$(nm -u "$obj/seen.ko" "$obj/xt_seen.ko" | awk '{ print $2 }')
if unwrapped <<<"$calls" >&2; then
	echo "places.h does not wrap these functions, which allocate" >&2
	exit 1
fi
cp "$obj/seen.ko" "$obj/seen_nth.ko" "$2/"
