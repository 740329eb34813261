#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# With -j every answer is one JSON document, also if it is empty, after an error, for any bytes in
# names and keys, and for monitor and batches. Each document fits the schema
# Documentation/json/seenctl.json. shapes/ lists the members of filters, guards and events with
# their types; a failure prints the difference.

. "$(dirname "$0")/../lib.sh"

space='' other=''
here=$(cd "$(dirname "$0")" && pwd)
schema=$here/../Documentation/json/seenctl.json

seenctl() {
	command seenctl -n "$space" "$@"
}

# json WHAT STATUS EXPRESSION COMMAND...: the answer is JSON of which the python
# EXPRESSION is true; x is the document. They are judged together at the end.
json() {
	local what=$1 want=$2 truth=$3 status

	shift 3
	"$@" >"$lib_dir/answer.${#whats[@]}" 2>/dev/null
	status=$?
	is "$what: exit status" "$status" "$want"
	whats+=("$what") truths+=("$truth")
}
whats=() truths=()

# Prints a line for each answer: "good", or the error.
judge() {
	python3 - "$lib_dir/answer." "$schema" "${truths[@]}" <<-'END'
	import json, sys
	import jsonschema
	with open(sys.argv[2], encoding="utf-8") as file:
	    schema = jsonschema.Draft202012Validator(json.load(file))
	for i, truth in enumerate(sys.argv[3:]):
	    text = open(sys.argv[1] + str(i), encoding="utf-8").read()
	    try:
	        x = json.loads(text)
	        schema.validate(x)
	        good = text.endswith("\n") and eval(truth)
	        print("good" if good else repr(text))
	    except Exception as error:
	        print(repr(error), repr(text))
	END
}

verdicts() {
	local i=0 line

	while IFS= read -r line; do
		is "${whats[i]}: valid, and ${truths[i]}" "$line" good
		((++i))
	done < <(judge)
}

empty() {
	json "no filters" 0 'x == []' seenctl -j filter show
	json "no guards" 0 'x == []' seenctl -j guard show
	json "pretty" 0 'x == []' seenctl -j -p guard show
	json "an empty batch" 0 'x == []' seenctl -j -b /dev/null
}

filters() {
	json "add" 0 'x == {}' seenctl -j filter add f capacity 1k
	json "add a strange name" 0 'x == {}' \
		seenctl -j filter add '"\<{]' type cuckoo capacity 10 window 1h
	json "filters" 0 '[f["name"] for f in x] == ["f", "\"\\<{]"]' \
		seenctl -j filter show
	json "base units" 0 'x[0]["window"] == 3600 * 10**9' \
		seenctl -j filter show '"\<{]'
	json "no counters" 0 '"stats" not in x[0]' seenctl -j filter show f
	json "counters" 0 'x[0]["stats"]["adds"] == 0' \
		seenctl -j -s filter show f
	json "pretty with counters" 0 'len(x) == 2' seenctl -jps filter show
	json "set" 0 'x == {}' seenctl -j filter set f on-full pass
	json "flush" 0 'x == {}' seenctl -j filter flush f
	json "rename" 0 'x == {}' seenctl -j filter rename f g
	json "swap" 0 'x == {}' seenctl -j filter swap g '"\<{]'
	json "del" 0 'x == {}' seenctl -j filter del g
}

# Two raw packets: IPv4, and something else.
printf '\xd4\xc3\xb2\xa1\2\0\4\0\0\0\0\0\0\0\0\0\xff\xff\0\0\x65\0\0\0%b%b' \
	'\0\0\0\0\0\0\0\0\x14\0\0\0\x14\0\0\0\x45\0\0\x14\0\1\0\0\x40\1\0\0\x0a\0\0\1\x0a\0\0\2' \
	'\0\0\0\0\0\0\0\0\4\0\0\0\4\0\0\0\x99\x99\x99\x99' >"$lib_dir/capture"
head -c 70 "$lib_dir/capture" >"$lib_dir/damaged"

keys() {
	seenctl filter add k type cuckoo capacity 10 key bytes
	json "key add" 0 'x["keys"] == 2 and x["new"] == 2' \
		seenctl -j key add k a $'\xff"\t\\\x7f\xe2\x82\xac'
	json "key test" 1 '[k["seen"] for k in x] == [True, False]' \
		seenctl -j key test k a b
	json "strange bytes" 0 'x[0]["key"] == "\xff\"\t\\\x7f\u20ac"' \
		seenctl -j key test k $'\xff"\t\\\x7f\xe2\x82\xac'
	json "an empty stream" 0 'x == []' seenctl -j key test k - </dev/null
	json "key del" 0 'x["seen"] == 1' seenctl -j key del k a
	json "key del, absent" 1 'x["absent"] == 1' seenctl -j key del k a
	json "key explain" 0 '[x[0]["key"], x[0]["fields"][0]["text"], x[1]["missing"]] == ["0x" + "0" * 20 + "ffff0a000001", "10.0.0.1", "src"]' \
		seenctl -j key explain key src <"$lib_dir/capture"
	json "key explain, damaged" 1 'len(x) == 1' \
		seenctl -j key explain key src <"$lib_dir/damaged"
	json "a stream with a bad line" 2 'len(x) == 2' \
		eval 'printf "a\n0x1\nb\n" | seenctl -j key test k -'
	json "full" 1 '0 < x["new"] < 5000' \
		eval 'seq 5000 | seenctl -j key add k -'
}

guards() {
	ns other
	veth "$space" v0 "$other" v0
	json "guard add" 0 'x == {}' \
		seenctl -j guard add dev v0 profile loop repeat 1 action mark 7
	json "guard add, waiting" 0 'x == {}' \
		seenctl -j guard add bridge br7 profile loop protect p1
	json "guards" 0 'x[0]["mark"] == 7 and x[0]["repeat"] == 1 and x[1]["state"] == "waiting" and 0 < x[0]["id"] < x[1]["id"]' \
		seenctl -j guard show
	json "a guard's conditions" 0 'x[2]["udp"] == ["53", "60-70"] and x[2]["dst"] == ["fe80::/10"] and x[2]["src"] == []' \
		eval 'seenctl guard add dev x9 profile relay udp 53,60-70 dst fe80::1/10 >/dev/null; seenctl -j guard show'
	json "an alarm" 0 '[x[0]["ports"][0][k] for k in ("alarm", "rate", "peak")] == ["calm", 0, 0] and x[0]["storm"] == 100' \
		seenctl -j guard show dev v0
	json "one guard" 0 'x[0]["protect"] == ["p1"]' \
		seenctl -j guard show bridge br7
	at "$other" python3 -c '
import socket
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
s.bind(("v0", 0))
for _ in range(4):
    s.send(b"\xff" * 6 + b"\x02" * 6 + b"\x81\0\0\x05\x88\xb5" + bytes(50))'
	json "ports" 0 '[x[0]["ports"][0][k] for k in ("judged", "new", "repeats", "dup_same_port")] == [4, 1, 2, 1]' \
		seenctl -j guard show dev v0 -s
	json "the last duplicate" 0 '[x[0]["ports"][0]["last"][k] for k in ("smac", "vlan", "ethertype")] == ["02:02:02:02:02:02", 5, 0x88b5]' \
		seenctl -j -s guard show dev v0
	seenctl -js guard >"$lib_dir/shapes.guards"
	json "guard set" 0 'x == {}' seenctl -j guard set dev v0 action count
	json "guard pause" 0 'x == {}' seenctl -j guard pause all
	json "guard resume" 0 'x == {}' seenctl -j guard resume dev v0
	json "guard del" 0 'x == {}' seenctl -j guard del dev v0
	json "deleting a missing guard" 1 'x == []' \
		seenctl -j guard show dev v0
}

others() {
	local slack=4096

	json "plan" 0 'x["type"] == "bloom" and len(x["rates"]) == 5' \
		seenctl -j plan capacity 1M fpp 1%
	json "plan, pretty" 0 'x["tick"] == 25 * 10**6' \
		seenctl -jp plan capacity 64k window 500ms fpp 1e-6
	json "a plan with refresh is what the kernel makes" 0 \
		'x[0]["refresh"] and x[0]["blocks"] == x[2][0]["blocks"] > x[3]["blocks"]' \
		seenctl -j -b - <<-'END'
	plan capacity 10k type bloom fpp 5% window 1m refresh
	filter add again capacity 10k type bloom fpp 5% window 1m refresh
	filter show again
	plan capacity 10k type bloom fpp 5% window 1m
	END
	# Locks that check themselves are larger.
	[ ! -e /proc/lockdep ] || slack=$((1 << 20))
	json "the memory of a plan is what the kernel charges, within 4 KiB" 0 \
		"all(p['bytes'] <= f['bytes'] <= p['bytes'] + $slack for p, [f] in zip(x[::3], x[2::3])) and len(x) == 21" \
		seenctl -j -b - <<-'END'
	plan type bloom capacity 1M fpp 1%
	filter add size1 type bloom capacity 1M fpp 1%
	filter show size1
	plan type bloom layout classic capacity 1k
	filter add size2 type bloom layout classic capacity 1k
	filter show size2
	plan type cuckoo capacity 100k window 10s fpp 1e-6
	filter add size3 type cuckoo capacity 100k window 10s fpp 1e-6
	filter show size3
	plan type counting capacity 10k fpp 1%
	filter add size4 type counting capacity 10k fpp 1%
	filter show size4
	plan type map capacity 10k key src
	filter add size5 type map capacity 10k key src
	filter show size5
	plan type bitmap capacity 65536
	filter add size6 type bitmap range 10.0.0.0-10.0.255.255
	filter show size6
	plan type cms capacity 1k fpp 1% top 100
	filter add size7 type cms capacity 1k fpp 1% top 100
	filter show size7
	END
	json "a batch" 0 '[type(d) for d in x] == [list, dict, dict]' \
		seenctl -j -b - <<-'END'
	filter show
	filter add batch type bloom capacity 5
	key add batch 10.0.0.1
	END
	json "a batch with an error" 1 'x[1:] == [{}]' seenctl -j -b - <<-'END'
	filter show
	filter del nothing
	filter show
	END
	json "a batch that asks for help" 0 'x == [{}, {}]' \
		seenctl -j -b - <<-'END'
	help
	plan help
	END
}

# Commands that list objects print an array, all others print an object.
errors() {
	json "no such filter" 1 'x == []' seenctl -j filter show nothing
	json "one word too many" 2 'x == []' seenctl -j filter show a b
	json "no such guard" 1 'x == []' seenctl -j guard show dev lo
	json "keys of no filter" 1 'x == []' seenctl -j key test nothing a
	json "a key for no filter" 1 'x == {}' seenctl -j key add nothing a
	json "an impossible plan" 2 'x == {}' \
		seenctl -j plan capacity 10 fpp 1e-12
	json "no such command" 2 'x == {}' seenctl -j filter bogus
	json "no such object" 2 'x == {}' seenctl -j bogus
	json "no such option" 2 'x == {}' seenctl -xj filter show
	json "no such batch" 1 'x == []' seenctl -j -b /nowhere
	json "no such namespace" 1 'x == {}' \
		command seenctl -j -n nowhere filter show
	json "no command at all: an overview" 0 'set(x) == {"guards", "filters"}' seenctl -j
	json "help" 0 'x == {}' seenctl -j help
	json "help of an object" 0 'x == {}' seenctl -j filter help
	json "nothing to monitor" 2 'x == {}' seenctl -j monitor count 0
	json "no event" 1 'x == {}' \
		seenctl -j monitor until port-blocked timeout 1ms
}

monitor() {
	events ear "$space" -j
	seenctl filter add heard type bloom capacity 10
	seenctl filter del heard
	heard ear 20 filter-del >/dev/null
	grep -v listening "$(heard_log ear)" >"$lib_dir/lines"
	json "monitor, first line" 0 'x["event"] == "filter-add" and x["filter"] == "heard"' \
		head -n1 "$lib_dir/lines"
	json "monitor, second line" 0 'x["event"] == "filter-del"' \
		tail -n1 "$lib_dir/lines"
}

# shape NAME PART FILE: it fits that part, and has the members that it had.
shape() {
	is "$1 fit the schema" "$("$here/helpers/answer.py" fits "$schema" "$2" <"$3")" good
	"$here/helpers/answer.py" shape <"$3" >"$lib_dir/$1"
	check "$1 have the members in shapes/" diff "$here/shapes/$1" "$lib_dir/$1"
}

shapes() {
	seenctl -b - >/dev/null <<-'END'
		filter add shape1 type bloom capacity 10 key src/24
		filter add shape2 type cuckoo capacity 10 window 1s key src/*
		filter add shape3 type cms capacity 10 threshold 2 conservative top 3
		filter add shape4 key dport range 0-9
		filter add shape5 type map capacity 10
		filter set shape1 allow-map shape5
		END
	seenctl -js filter >"$lib_dir/shapes.filters"
	shape filters filters "$lib_dir/shapes.filters"
	shape guards guards "$lib_dir/shapes.guards"
	head -n1 "$lib_dir/lines" >"$lib_dir/shapes.event"
	shape event event "$lib_dir/shapes.event"
	seenctl -jV >"$lib_dir/shapes.version"
	shape version version "$lib_dir/shapes.version"
}

plan $((2 * 64 + 8))
ns space
empty
filters
keys
guards
others
errors
monitor
shapes
verdicts
