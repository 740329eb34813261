// SPDX-License-Identifier: GPL-2.0
#include "seenctl.h"

int learn_filter(const char *filter, struct seen_filter_info *info)
{
	int status = connect_kernel();

	return status ? status : from_kernel(seen_filter_get(ctl.client, filter,
							     info));
}

int learn_spec(const char *filter, struct seen_key_spec *spec)
{
	struct seen_filter_info info;
	int status = learn_filter(filter, &info);

	if (!status)
		*spec = info.config.key;
	return status;
}

static int add(struct args *args)
{
	return run_keys(SEEN_CMD_KEY_ADD, args);
}

static int test(struct args *args)
{
	return run_keys(SEEN_CMD_KEY_TEST, args);
}

static int del(struct args *args)
{
	return run_keys(SEEN_CMD_KEY_DEL, args);
}

static int count(struct args *args)
{
	return run_keys(SEEN_CMD_KEY_COUNT, args);
}

static const struct command commands[] = {
	{ "add", add,
	  "NAME [--copies | --new] { KEY [value V]... | [--strict] [--csv COLUMN] - }",
	  .gathers = true },
	{ "test", test, "NAME { KEY... | [--csv COLUMN] - }", .list = true },
	{ "del", del, "NAME { KEY... | [--strict] [--csv COLUMN] - }" },
	{ "count", count, "NAME { KEY... | [--csv COLUMN] - }", .list = true },
	{ "show", key_show, "NAME", .list = true },
	{ "explain", key_explain, "{ NAME | key SPEC } < CAPTURE",
	  .list = true },
};

const struct object key_object = {
	.name = "key",
	.summary = "keys in a filter",
	.command = commands,
	.commands = ARRAY_SIZE(commands),
	.help =
	"  -         reads a list from standard input, a key a line: addresses with comments\n"
	"            (# or ;), the names of a hosts file, ranges FIRST-LAST, prefixes. A bad\n"
	"            line is reported and skipped; the exit status is 2 then\n"
	"  --strict  checks all lines first, and does nothing if one is bad\n"
	"  --csv COLUMN  lines are CSV; the key is a column, by name or number, or several\n"
	"            (dst_ip,dst_port)\n"
	"  --copies  stores one more copy of a key that is there; in a window its time\n"
	"            begins anew. Without it bloom, cuckoo, map and bitmap store only what\n"
	"            is not there; counting, cms and cmm count each add\n"
	"  --new     stores only what is not seen, in counting, too\n"
	"\n"
	"In a cuckoo filter two keys with one fingerprint are one entry, and deleting either\n"
	"loses both: for lists with deletes use bits 32, a map, or --copies.\n"
	"\n"
	"A key is written as its filter wants it: an address (host); the fields in\n"
	"order with commas between them, such as 10.0.0.1,10.0.0.2,tcp,80,1024 (flow);\n"
	"text, or 0x and hex digits (bytes).\n"
	"test prints \"KEY seen\", \"KEY new\", or \"KEY allowed\": on the allow list. It\n"
	"ends with 0 if all are seen, else 1.\n"
	"count prints \"KEY N\": copies (cuckoo), how often it came (counting to 15, cms,\n"
	"cmm), or the value that a map has for it, - if it has none.\n"
	"value V: in a map; 0 unless given; a key that is there gets the one that is given,\n"
	"but not with --new. On standard input it is the last word of a line.\n"
	"del of a key that was never added may remove another one with the same\n"
	"fingerprint.\n"
	"show lists what a map or a bitmap holds, as text that key add NAME - reads.\n"
	"explain reads a capture (pcap, pcapng) and prints for each packet the bytes\n"
	"that it gives to the key of a filter, or to SPEC, and why; or why it has none.\n",
};
