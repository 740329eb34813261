#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Each error condition has one errno: a filter of the kernel and a local filter of libseen return
# the same errno for the same mistake, as the table of errors in Documentation/libseen.md states.
#
#	errnos -- libseen's client -- the module
#	       \_ libseen's local filters

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

# If both return the same errno, it is printed once.
want="reserved: EINVAL
count above the array: EINVAL
no such type: EINVAL
no capacity: EINVAL
capacity out of range: EINVAL
fpp out of range: EINVAL
no name: EINVAL
a name without an end: EINVAL
no key: EINVAL
a map with a payload: EINVAL
no memory: ENOMEM
add a key of another length: EINVAL
test a key of another length: EINVAL
add a key outside of the range: EINVAL
del a key outside of the range: EINVAL
test a key outside of the range: new
del of a type that only grows: EOPNOTSUPP
count of a type that does not: EOPNOTSUPP
a value for no map: EOPNOTSUPP
del of a key that is not there: absent
a ninth copy: copies
full: full
a 65th prefix length: E2BIG
a merge of more than 64: E2BIG
a merge of others: EINVAL
a merge with itself: EINVAL
a merge beyond the promise: ENOSPC
a fold of another type: EOPNOTSUPP
a fold that has no room: ENOSPC
no file: ENOENT
no secret: ENOKEY
a wrong secret: ENOKEY
a good file: 0
a damaged file: EBADMSG
no snapshot: EBADMSG"

while IFS=: read -r condition answer; do
	conditions+=("$condition")
	answers+=("${answer# }")
done <<<"$want"
mapfile -t got < <(errnos 2>&1)

plan $((1 + ${#conditions[@]}))
is "each condition is tested" "${#got[@]}" "${#conditions[@]}"
for i in "${!conditions[@]}"; do
	is "${conditions[i]}: the kernel, and a local filter" "${got[i]}" \
		"${conditions[i]}: ${answers[i]} ${answers[i]}"
done
