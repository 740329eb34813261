#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Wrong values of parameters, in commands that need no kernel: the exit status is 2, and the text
# names the parameter and the way out. net/cli.sh does the same with a kernel.

. "$(dirname "$0")/../lib.sh"
PATH=${TOOLS:-$(cd "$(dirname "$0")/../../build/tools" && pwd)}:$PATH
cd "$lib_dir" || exit

# Each line: the command line, and the text after "seenctl: ".
table() {
	cat <<'END'
plan type cuckoo capacity 10 fpp 1e-12|plan: fpp: this type needs more than 64 bits per key for this rate; raise fpp, or use type bloom layout classic
plan type counting capacity 10 fpp 1e-11|plan: fpp: this type needs more than 64 bits per key for this rate; raise fpp, or use type bloom layout classic
plan type counting capacity 10 fpp 1e-4|plan: fpp: this type needs more than 64 bits per key for this rate; raise fpp, or use type cuckoo
plan type bloom capacity 10 fpp 1e-12|plan: fpp: this type needs more than 64 bits per key for 1e-12; use layout classic
plan type bloom window 1s refresh capacity 10|plan: fpp: this type needs more than 64 bits per key for 0.001; use type cuckoo
plan type counting capacity 10 fpp 1e-10 key src/*|plan: fpp: this type needs more than 64 bits per key for 1e-10; use at least 0.2, or type bloom layout classic
file create f type cuckoo capacity 10 key bytes fpp 1e-12|file create: fpp: this type needs more than 64 bits per key for this rate; raise fpp, or use type bloom layout classic
plan capacity 99999999999|plan: capacity: must be 1 to 17179869184
plan capacity 99999999999999999999|plan: capacity: must be 1 to 17179869184
plan capacity 99999999999G|plan: capacity: must be 1 to 17179869184
plan capacity -1|plan: capacity: must be 1 to 17179869184
plan capacity 1x|plan: capacity: 1x is not a number (10000, 10k, 1M)
filter add f capacity 99999999999999999999|filter add: capacity: must be 1 to 17179869184
file create f type cuckoo capacity 99999999999999999999|file create: capacity: must be 1 to 17179869184
dedup --capacity 99999999999999999999|dedup: --capacity: must be 1 to 17179869184
dedup --capacity 0|dedup: --capacity: must be 1 to 17179869184
pcap IN OUT --capacity 99999999999999999999|pcap: --capacity: must be 1 to 17179869184
dedup --memory 99999999999999999999|dedup: --memory: must be 0 to 18446744073709551615
plan memory 99999999999999999999|plan: memory: must be 0 to 18446744073709551615
plan memory 99999999999999T|plan: memory: must be 0 to 18446744073709551615
monitor count 99999999999999999999|monitor: count: must be 1 to 18446744073709551615
monitor count 0|monitor: count: must be 1 to 18446744073709551615
plan capacity 10 type cms top 99999999999|plan: top: must be 0 to 1024
plan capacity 10 type map key-bytes 99999999999|plan: key: must have 1 to 48 bytes for type map and for top
plan capacity 10 type cuckoo bits 99999999999|plan: bits: must be 8, 12, 16, 24 or 32
plan capacity 10 type cuckoo bits many|plan: bits: many is not a number
filter add f type cms capacity 10 threshold 99999999999|filter add: threshold: must be 0 to 4294967295
guard add dev lo filter f priority 99999999999|guard add: priority: must be -2147483648 to 2147483647
guard add dev lo filter f priority -99999999999|guard add: priority: must be -2147483648 to 2147483647
guard add dev lo filter f priority high|guard add: priority: high is not a number
guard add dev lo filter f storm 99999999999|guard add: storm: must be 1 to 4294967295
guard add dev lo filter f storm -1|guard add: storm: must be 1 to 4294967295
guard add dev lo filter f storm many|guard add: storm: many is not a number
guard add dev lo filter f action mark 99999999999|guard add: mark: must be 0 to 4294967295
top f -n 99999999999|top: -n: must be 0 to 4294967295
dedup --window 1s --time 99999999999|dedup: --time: must be 1 to 63
dedup --window 1s --time 0|dedup: --time: must be 1 to 63
plan capacity 10 fpp 0|plan: fpp: must be 1e-12 to 0.5
plan capacity 10 fpp 1|plan: fpp: must be 1e-12 to 0.5
plan capacity 10 fpp 2|plan: fpp: must be 1e-12 to 0.5
plan capacity 10 fpp 120%|plan: fpp: must be 1e-12 to 0.5
plan capacity 10 fpp 1e-18|plan: fpp: must be 1e-12 to 0.5
plan capacity 10 fpp 1e999|plan: fpp: must be 1e-12 to 0.5
plan capacity 10 fpp -0.1|plan: fpp: must be 1e-12 to 0.5
plan capacity 10 fpp x|plan: fpp: x is not a probability (0.01, 1%, 1e-6)
plan capacity 10 fpp inf|plan: fpp: inf is not a probability (0.01, 1%, 1e-6)
plan memory 1M fpp 2|plan: fpp: must be 1e-12 to 0.5
filter add f capacity 10 fpp 1|filter add: fpp: must be 1e-12 to 0.5
file create f type bloom capacity 10 fpp 0|file create: fpp: must be 1e-12 to 0.5
dedup --fpp 0|dedup: --fpp: must be 1e-12 to 0.5
dedup --fpp 1|dedup: --fpp: must be 1e-12 to 0.5
dedup --fpp 0.6|dedup: --fpp: must be 1e-12 to 0.5
dedup --window 1s --fpp 0.6|dedup: --fpp: must be 1e-12 to 0.5
pcap IN OUT --fpp 1e-18|pcap: --fpp: must be 1e-12 to 0.5
plan capacity 10 window 0|plan: window: must be above 0; omit it for a filter without a window
plan capacity 10 window 0s|plan: window: must be above 0; omit it for a filter without a window
plan capacity 10 window 0.1ns|plan: window: must be above 0; omit it for a filter without a window
plan capacity 10 window -1s|plan: window: must be above 0; omit it for a filter without a window
plan capacity 10 window 5|plan: window: 5 is not a time (100ms, 5s, 10m, 1h)
plan capacity 10 window 1e30h|plan: window: must be 1ns to 1152921504606846976ns
filter add f capacity 10 window 0|filter add: window: must be above 0; omit it for a filter without a window
file create f capacity 10 window 0s|file create: window: must be above 0; omit it for a filter without a window
dedup --window 0|dedup: --window: must be above 0; omit it for a filter without a window
dedup --window 1s --fpp 1e-12|dedup: --fpp: each type needs more than 64 bits per key for this rate; raise fpp
dedup --window 1e30h|dedup: --window: must be 1ns to 1152921504606846976ns
pcap IN OUT --window 0|pcap: --window: must be above 0; omit it for 50ms
pcap IN OUT --window 1e30h|pcap: --window: must be 1ns to 1152921504606846976ns
monitor timeout 0s|monitor: timeout: must be above 0; omit it to wait without a limit
filter add f type counting capacity 10 bits 4|filter add: bits: needs type cuckoo
filter add f type counting capacity 10 bits 0|filter add: bits: needs type cuckoo
filter add f bits 99999999999 type map capacity 10|filter add: bits: needs type cuckoo
filter add f key dport range 0-69 bits 4|filter add: bits: needs type cuckoo
filter add f type cuckoo capacity 10 bits 4|filter add: bits: must be 8, 12, 16, 24 or 32
filter add f capacity 10 bits 33|filter add: bits: must be 8, 12, 16, 24 or 32
filter add f type bloom capacity 10 top 2000|filter add: top: needs type cms or cmm
filter add f capacity 10 top 2000|filter add: top: needs type cms or cmm
file create f type counting capacity 10 bits 4|file create: bits: needs type cuckoo
plan type counting capacity 10 bits 4|plan: bits: needs type cuckoo
plan type counting capacity 10 bits 0|plan: bits: needs type cuckoo
plan capacity 10 bits 4|plan: bits: must be 8, 12, 16, 24 or 32
plan type bloom capacity 10 top 2000|plan: top: needs type cms or cmm
guard add dev lo filter f udp 70000|guard add: udp: must be 0 to 65535: 70000
guard add dev lo filter f udp 53,99999999999999999999|guard add: udp: must be 0 to 65535: 99999999999999999999
guard add dev lo filter f udp 6000-70000|guard add: udp: must be 0 to 65535: 6000-70000
guard add dev lo filter f udp 60-50|guard add: udp: first must not be greater than last: 60-50
guard add dev lo filter f udp 60-|guard add: udp: "60-" is not a port (53, 6000-6010, all)
guard add dev lo filter f udp dns|guard add: udp: "dns" is not a port (53, 6000-6010, all)
guard add dev lo filter f src 1.2.3.4/33|guard add: src: prefix length must be 0 to 32: 1.2.3.4/33
guard add dev lo filter f dst fe80::/99999999999999999999|guard add: dst: prefix length must be 0 to 128: fe80::/99999999999999999999
guard add dev lo filter f dst 1.2.3/33|guard add: dst: "1.2.3/33" is not a prefix (10.0.0.0/8, fe80::/10)
guard add dev lo filter f dst 1.2.3.4/x|guard add: dst: "1.2.3.4/x" is not a prefix (10.0.0.0/8, fe80::/10)
guard add bridge br0 profile loop exempt 01:00:0c:cc:cc:cc/49|guard add: exempt: prefix length must be 8 to 48: 01:00:0c:cc:cc:cc/49
guard add bridge br0 profile loop exempt 01:00:0c:cc:cc:cc/7|guard add: exempt: prefix length must be 8 to 48: 01:00:0c:cc:cc:cc/7
guard add bridge br0 profile loop exempt 02:00:0c:cc:cc:cc/48|guard add: exempt: "02:00:0c:cc:cc:cc/48" is not a group address (01:00:0c:cc:cc:cc, or /8 to /48)
filter add f range 10.0.0.0/33|filter add: range: prefix length must be 0 to 32: 10.0.0.0/33
filter add f range 10.0.0/8|filter add: range: not a network: 10.0.0/8
plan capacity|plan: capacity: value required
filter add f capacity|filter add: capacity: value required
guard add dev|guard add: dev: value required
guard add dev lo filter f action mark|guard add: mark: value required (N, or "value" for the value of the key)
dedup --fpp|dedup: --fpp: value required
pcap IN OUT --key|pcap: --key: value required
-n|-n: value required
-sn|-n: value required
--netns|--netns: value required
--batch= filter|--batch: value required
-color= filter|-color: value required
-nj foo filter|unknown option "-nj" (-n must be last; its value is the next word)
-bs x|unknown option "-bs" (-b must be last; its value is the next word)
-sx filter|unknown option "-sx" (-x is not an option; run seenctl help)
END
}

plan "$(table | wc -l)"
while IFS='|' read -r line text; do
	read -ra words <<<"$line"
	said=$(seenctl "${words[@]}" 2>&1 >/dev/null </dev/null)
	is "$line" "$?: $said" "2: seenctl: $text"
done < <(table)
