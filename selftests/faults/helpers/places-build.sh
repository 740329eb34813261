#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# places-build.sh KERNEL OUT: the module for that guest kernel, every allocation of
# which can be made to fail, into the folder OUT: module/places.h.

set -euo pipefail

# What the kernel calls that allocates.
allocates='(alloc|memdup|strdup|asprintf|get_free_page|get_zeroed_page|_register|^register'
allocates+='|^skb_(copy|clone)|^pskb_|insert|^_*xa_(store|cmpxchg)|create)'
# Behind a place of places.h, under the names that its macros come to.
wrapped='__kmalloc_noprof __kmalloc_cache_noprof __kvmalloc_node_noprof
	vmalloc_huge_node_noprof pcpu_alloc_noprof __alloc_skb
	alloc_workqueue_noprof __rhashtable_init_noprof __xa_alloc_cyclic
	rhashtable_insert_slow rht_bucket_nested_insert
	nf_register_net_hook nf_register_net_hooks register_pernet_subsys register_netdevice_notifier
	netlink_register_notifier genl_register_family register_net_sysctl_sz'
# These only have such names: data, a copy of bytes, a list, a tree; and a store in the place
# of an entry, see seen_port_take_number().
others='kmalloc_caches skb_copy_bits xt_register_matches rb_insert_color xa_store'

# unwrapped: of the names read, those that allocate and have no place.
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
# xt_seen.ko has no places, and must need none.
calls=$(nm -u "$obj/seen.ko" "$obj/xt_seen.ko" | awk '{ print $2 }')
if unwrapped <<<"$calls" >&2; then
	echo "places.h has no place for these, which allocate" >&2
	exit 1
fi
cp "$obj/seen.ko" "$obj/seen_nth.ko" "$2/"
