#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The commands for filters and keys that a user tries first.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/helpers/lib.sh"

space=

seenctl() {
	command seenctl -n "$space" "$@"
}

# Prints a member ($2) of the filter $1, such as .on_full.
tell() {
	seenctl -j -s filter show "$1" | jq -r ".[0]$2"
}

names() {
	seenctl -j filter show | jq -r '[.[].name] | join(" ")'
}

# seen NAME KEY...: the answers to "key test", without the keys.
seen() {
	seenctl key test "$@" | awk '{ print $NF }' | paste -sd' '
}

kinds() {
	check "add: the type is chosen" seenctl filter add chosen capacity 10k
	is "the chosen type is bloom" "$(tell chosen .type)" bloom
	seenctl filter add loops capacity 10k fpp 1e-6 window 500ms >"$lib_dir/out"
	is "below 0.001 with a window: cuckoo" \
		"$(head -n1 "$lib_dir/out" | cut -d, -f1)" "type cuckoo chosen"
	match "a window is stated with its tick" "$(tail -n1 "$lib_dir/out")" \
		"^a key is seen for 500ms to 52[45]ms after its first sighting$"
	match "no window: the smaller type" "$(seenctl filter add low capacity 1M fpp 1e-4)" \
		"^type cuckoo chosen, .*; layout classic needs .*, but is slower$"
	match "with a window a type with short ticks is chosen" \
		"$(seenctl filter add short capacity 1M fpp 0.1 window 10m)" \
		"^type cuckoo chosen, .*; bloom needs .*, but keeps keys for up to 15.0m"
	match "but not if on-full is rotate" \
		"$(seenctl filter add rotates capacity 1k fpp 0.01 window 10m on-full rotate)" \
		"a key is seen for 10m to 15.0m after its first sighting$"
	is "then the type is bloom" "$(tell rotates .type)" bloom
	check "add: classic" seenctl filter add classic type bloom \
		layout classic capacity 1M fpp 1%
	is "classic has the textbook's bits" \
		"$(tell classic '|[.blocks, .hashes]|join(" ")')" "9585058 7"
	check "add: a fingerprint's size" seenctl filter add bits type cuckoo \
		bits 32 capacity 1000
	match "the rate follows" "$(tell bits .fpp)" '^1\..*e-09$'
	check "add: every parameter" seenctl filter add each type bloom \
		layout blocked capacity 1k fpp 10% key src/24,dport \
		window 1.5s refresh on-full rotate \
		seed 000102030405060708090a0b0c0d0e0f
	is "all parameters are shown" "$(seenctl -o filter show each | cut -d\\ -f1)" \
		"filter each type bloom layout blocked capacity 1000 fpp 0.1 window 1500ms refresh key src/24,dport on-full rotate"
	is "the secret is not shown" "$(seenctl -s filter show each | grep -c 0102)" 0
	is "all filters are listed, in order" "$(names)" \
		"chosen loops low short rotates classic bits each"
}

hosts() {
	check "abbreviated: f a" seenctl f a hosts type bloom capacity 1k
	check "k a: IPv4 and IPv6" seenctl k a hosts 10.0.0.1 2001:db8::1
	is "test: seen" "$(seen hosts 10.0.0.1 2001:db8::1)" "seen seen"
	check "test: exit status 0 if all are seen" \
		seenctl key test hosts 10.0.0.1 2001:db8::1
	is "test: not seen" "$(seen hosts 10.0.0.1 10.0.0.2)" "seen new"
	refuse "test: exit status 1 if one is not seen" 1 "" \
		seenctl key test hosts 10.0.0.1 10.0.0.2
	is "an address is printed as it was written" \
		"$(seenctl key test hosts 2001:DB8:0::1)" "2001:DB8:0::1 seen"
	is "test does not add" "$(seen hosts 10.0.0.2)" new
	is "an IPv4-mapped IPv6 address is the IPv4 address" "$(seen hosts ::ffff:10.0.0.1)" seen
	is "counted" "$(tell hosts '.stats|[.adds, .new, .seen]|join(" ")')" \
		"2 5 8"
	is "the number of entries is current" "$(tell hosts .entries)" 2
	check "flush" seenctl filter flush hosts
	is "the flushed filter is empty" "$(seen hosts 10.0.0.1) $(tell hosts .entries)" "new 0"
}

copies() {
	seenctl filter add copies type cuckoo bits 32 capacity 1k
	check "add, twice" seenctl key add copies 10.0.0.1 10.0.0.1
	check "del" seenctl key del copies 10.0.0.1
	is "the key was stored once" "$(seen copies 10.0.0.1)" new
	check "add two copies" seenctl key add copies --copies 10.0.0.1 10.0.0.1
	check "del removes one copy" seenctl key del copies 10.0.0.1
	is "the other copy is there" "$(seen copies 10.0.0.1)" seen
	check "del" seenctl key del copies 10.0.0.1
	is "no copy is there" "$(seen copies 10.0.0.1)" new
	refuse "del reports keys that did not exist" 1 "1 of 2 keys did not exist" \
		sh -c "seenctl -n $space key add copies 10.0.0.2
		       seenctl -n $space key del copies 10.0.0.2 10.0.0.3"
	check "add --new" seenctl key add copies --new 10.0.0.1 10.0.0.1
	check "stores one copy" seenctl key del copies 10.0.0.1
	is "the key was stored once, with --new" "$(seen copies 10.0.0.1)" new
}

add_longer() {
	echo "10.0.0.1,0xab$new" | seenctl key add long -
}

# Each kind of key: FILTER's key, then one that is added and one that is not.
key_texts() {
	local key new add

	while read -r key add new; do
		seenctl filter add "$key" type cuckoo bits 32 capacity 100 \
			key "$key"
		seenctl key add "$key" "$add"
		is "key $key" "$(seen "$key" "$add" "$new")" "seen new"
	done <<-'END'
	flow 10.0.0.1,10.0.0.2,tcp,80,1024 10.0.0.1,10.0.0.2,udp,80,1024
	smac 02:00:00:00:00:01 02:00:00:00:00:02
	bytes hello 0x68656c6c
	vlan,ethertype 5,0x0800 none,0x0800
	dport,proto 80,17 80,tcp
	src,payload 10.0.0.1,0x0102 10.0.0.1,0x0103
	frame,payload:2 0xffffffffffff020000000001ffff08060000002e000000020001 0xffffffffffff020000000001ffff08060000002e000000020002
	END
	seenctl filter add long type cuckoo bits 32 capacity 100 key src,payload
	new=$(printf 'ab%.0s' $(seq 65000))
	echo "10.0.0.1,0x$new" | seenctl key add long -
	is "keys of 65,000 bytes that differ in the last byte" \
		"$(printf '10.0.0.1,0x%s\n' "$new" "${new%b}c" |
			seenctl key test long - | awk '{ print length($1), $2 }')" \
		"130011 seen
130011 new"
	refuse "a longer key is refused" 2 "at most 65000 bytes" \
		add_longer
	seenctl filter add nets type cuckoo bits 32 capacity 100 key src/24
	seenctl key add nets 192.0.2.0
	is "key src/24: one network" "$(seen nets 192.0.2.77 192.0.3.77)" \
		"seen new"
	seenctl key add flow "10.0.0.9 10.0.0.2 tcp 1 2"
	is "blanks for commas" "$(seen flow 10.0.0.9,10.0.0.2,6,1,2)" seen
}

streams() {
	seenctl filter add streams type bloom capacity 10k fpp 1e-6
	check "stream: comments, blanks, no last line end" \
		seenctl key add streams - \
		< <(printf '# comment\n\n  10.0.0.1  \r\n10.0.0.2')
	is "its keys" "$(seen streams 10.0.0.1 10.0.0.2)" "seen seen"
	refuse "stream: the bad line is reported" 2 "line 3: src: not an" sh -c "
		printf '10.0.0.3\n#\nbad\n10.0.0.4\n' |
		seenctl -n $space key add streams -"
	is "the lines before and after it are added" \
		"$(seen streams 10.0.0.3 10.0.0.4)" "seen seen"
	is "stream: test" "$(printf '10.0.0.1\n10.0.0.9\n' |
		seenctl key test streams - | paste -sd,)" \
		"10.0.0.1 seen,10.0.0.9 new"
	is "stream: several requests" "$(numbers 9000 | seenctl -s key add \
		streams -)" "keys 9000 new 9000"
	is "each key of several requests is there" "$(numbers 9000 |
		seenctl -j key test streams - | jq 'map(.seen) | all')" true
	check "an empty stream" seenctl key add streams - </dev/null
	slow_stream
}

numbers() {
	seq "$1" | awk '{ printf "11.0.%d.%d\n", $1 / 256, $1 % 256 }'
}

# A reader that waits for the answer before it writes the next key.
slow_stream() {
	local answer to pid

	coproc answers { command seenctl -n "$space" key test streams -; }
	pid=$! to=${answers[1]}
	echo 10.0.0.1 >&"$to"
	read -rt 20 answer <&"${answers[0]}"
	is "a slow writer gets its answers" "$answer" "10.0.0.1 seen"
	exec {to}>&-
	wait "$pid"
}

full() {
	seenctl filter add few type cuckoo capacity 10
	numbers 9000 >"$lib_dir/list"
	refuse "full: the line is reported" 1 ": the filter is full" \
		sh -c "seenctl -n $space key add few - <$lib_dir/list"
	is "full: is shown" "$(tell few .full)" true
	seenctl filter set few on-full pass
	is "on-full changes live" "$(tell few .on_full)" pass
	is "pass: no key is seen" "$(seen few 11.0.0.1)" new
	seenctl filter set few on-full reject
	is "reject: the key is seen again" "$(seen few 11.0.0.1)" seen
	seenctl filter flush few
	is "flush: room again" "$(tell few .full)" false
}

# Where the rate follows from the fingerprint, and not the other way round.
flushed_as_it_was() {
	local bits before

	for bits in 8 16 24 32; do
		seenctl filter add f type cuckoo capacity 136 bits $bits window 1s
		before=$(tell f ' | [.bytes, .blocks, .fpp]')
		check "flush: $bits bits" seenctl filter flush f
		is "flush: $bits bits, as large as before" \
			"$(tell f ' | [.bytes, .blocks, .fpp]')" "$before"
		seenctl filter del f
	done
}

adds() {
	tell "$1" .stats.adds
}

places() {
	local before

	seenctl filter add a type cuckoo capacity 10
	seenctl filter add b type cuckoo capacity 1000
	seenctl key add a 10.0.0.1
	seenctl key add b 10.0.0.2
	check "rename" seenctl filter rename a c
	is "its keys are there" "$(seen c 10.0.0.1)" seen
	check "swap" seenctl filter swap b c
	is "swap: the keys changed places" "$(seen b 10.0.0.1) $(seen c 10.0.0.2)" \
		"seen seen"
	is "swap: the sizes changed places" "$(tell b .capacity) $(tell c .capacity)" \
		"10 1000"
	is "counters stay with the name" "$(adds b) $(adds c)" "1 1"
	seenctl key add c 10.0.0.3
	seenctl filter swap b c
	is "counters continue after a swap" "$(adds b) $(adds c)" "1 2"
	seenctl key add c 10.0.0.4
	is "counters continue in the other filter" "$(adds b) $(adds c)" "1 3"
	check "flush" seenctl filter flush c
	is "counters continue after a flush" "$(adds c)" 3
	seenctl filter export c "$lib_dir/c.seen" --with-secret
	check "import" seenctl filter import c "$lib_dir/c.seen" --replace
	seenctl key add c 10.0.0.5
	is "counters continue after an import" "$(adds c)" 4
	check "rename" seenctl filter rename c d
	is "counters move with a rename" "$(adds d)" 4
	check "reset" seenctl filter reset d
	is "counters begin at 0 after a reset" "$(adds d) $(tell d .stats.lookups)" "0 0"
	seenctl key add d 10.0.0.6
	is "counters count after a reset" "$(adds d)" 1
	seenctl filter rename d c
	before=$(names)
	check "del" seenctl filter del c
	seenctl filter add c type cuckoo capacity 10
	is "a later filter of the name has counters of its own" "$(adds c)" 0
	seenctl filter del c
	is "no other filter was deleted" "$(names)" "${before/ c / }"
}

spaces() {
	local other

	ns other
	command seenctl -n "$other" filter add hosts type bloom capacity 10
	command seenctl -n "$other" key add hosts 10.9.9.9
	is "the same name elsewhere holds other keys" "$(seen hosts 10.9.9.9)" \
		new
	is "the other namespace has no other filter" "$(command seenctl -n "$other" -j \
		filter show | jq length)" 1
}

batches() {
	cat >"$lib_dir/batch" <<-'END'
	# a comment
	filter add batch type bloom capacity 10

	key add batch 10.0.0.1 "10.0.0.2" # another
	END
	check "batch" seenctl -b "$lib_dir/batch"
	is "all lines of the batch are done" "$(seen batch 10.0.0.1 10.0.0.2)" "seen seen"
	refuse "batch: reports the bad line, and stops there" 1 '-:2: filter "x" does not exist' \
		sh -c "printf '%s\n' 'key add batch 10.0.0.3' 'filter del x' \
			'key add batch 10.0.0.4' | seenctl -n $space -b -"
	is "the lines before it are done" \
		"$(seen batch 10.0.0.3 10.0.0.4)" "seen new"
	is "batch: a key that is not seen is no error" "$(printf '%s\n' \
		'key test batch 10.0.0.9' 'key test batch 10.0.0.1' |
		seenctl -b - | paste -sd,)" "10.0.0.9 new,10.0.0.1 seen"
	refuse "but the exit status is 1" 1 "" sh -c \
		"echo key test batch 10.0.0.9 | seenctl -n $space -b -"
}

# Nothing but the time decides here, so what is asked for lies far away.
windows() {
	seenctl filter add soon type cuckoo capacity 100 window 100ms fpp 1e-6
	seenctl filter add late type cuckoo capacity 100 window 1h fpp 1e-6
	seenctl key add soon 10.0.0.1
	seenctl key add late 10.0.0.1
	is "a window that lasts" "$(seen late 10.0.0.1)" seen
	check "a window that ends" await 10 gone
	is "an effective window" "$(tell late .effective)" 3600000000000
}

gone() {
	[ "$(seen soon 10.0.0.1)" = new ]
}

# An answer for which there is no room costs its request, and no other.
lost() {
	seenctl filter add lost type bloom capacity 10 key bytes
	at "$space" keys add lost 0 1 >"$lib_dir/out"
	is "after a lost answer the next one on the connection is right" \
		"$(at "$space" ack_lost lost | sort | uniq -c | xargs)" \
		"3 Cannot allocate memory, seen"
}

plan 107
ns space
kinds
hosts
copies
key_texts
streams
full
flushed_as_it_was
places
spaces
batches
lost
windows
