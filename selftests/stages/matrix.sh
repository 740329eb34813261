# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by ../check.sh: each kernel, both compilers, tools of 32 bits. What is
# skipped must be in the table of ../skips, which says why.

# reason KERNEL LINE: what the table says of a skip, as tap.awk tells it.
reason() {
	awk -F '\t+' -v kernel="$1" -v line="$2" '
		/^#/ || !index("," $1 ",", "," kernel ",") && $1 != "all" { next }
		index(line, "SKIP " $2 ": ") == 1 && index(line, $3) {
			print $4
			found = 1
			exit
		}
		END { exit !found }' "$here/skips"
}

# skips KERNEL LOG: each with its reason.
skips() {
	local line why

	awk -f "$here/tap.awk" "$2" | grep '^SKIP ' | while read -r line; do
		if why=$(reason "$1" "$line"); then
			echo "not on $1: ${line#SKIP }: $why"
		else
			echo "unexplained: $line"
		fi
	done
}

# on_kernel KERNEL TEST...: in one guest; a skip that nobody explained is a failure.
on_kernel() {
	local kernel=$1 told line

	one_guest "$kernel" 2 "${@:2}"
	told=$(skips "$kernel" "$out/$stage-$kernel-2.log")
	while read -r line; do
		case $line in
		unexplained*) fail "$stage $kernel: $line" ;;
		?*) echo "$line" ;;
		esac
	done <<<"$told"
	echo "$stage: $kernel${CLANG:+, by clang}: $(($# - 1)) tests" >>"$out/figures"
}

# Last, since it gives the guest its tools.
narrow=(matrix/bits32.sh net/save.sh net/snapshot.sh net/filter.sh net/types.sh
	net/top.sh net/guard.sh net/cli.sh net/json.sh net/rules_text.sh
	net/rules.sh)

matrix_long() {
	local kernel list

	BUILDS="6.12-rt uml 6.12-clang 6.12-rt-clang uml-clang" \
		on_host matrix-builds-long static/sparse.sh
	for kernel in 6.1 6.12 6.12-rt uml uml-debug; do
		mapfile -t list < <(ALL=1 picked "$kernel" 2)
		on_kernel "$kernel" "${list[@]}"
	done
	for kernel in 6.1 6.12 6.12-rt; do
		on_kernel "$kernel" "${narrow[@]}"
	done
	for kernel in 6.12 6.12-rt uml; do
		CLANG=1 on_kernel "$kernel" net/rmmod.sh net/once.sh net/rules.sh
	done
}

matrix() {
	BUILDS=6.1-clang on_host matrix-builds static/sparse.sh
	on_host matrix-32 matrix/build32.sh
	CLANG=1 on_kernel 6.1 net/gro.sh net/rmmod.sh matrix/bits32.sh
	[ -z "$LONG" ] || matrix_long
}
