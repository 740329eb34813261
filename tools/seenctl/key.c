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
	{ "show", key_show, "NAME", .list = true, .one = true },
	{ "explain", key_explain, "{ NAME | key SPEC } < CAPTURE",
	  .list = true, .one = true },
};

const struct object key_object = {
	.name = "key",
	.summary = "keys in a filter",
	.command = commands,
	.commands = ARRAY_SIZE(commands),
	.help =
	"  -         reads a list from standard input, one key per line: addresses with\n"
	"            comments (# or ;), lines of a hosts file, ranges FIRST-LAST,\n"
	"            prefixes. A bad line is reported and skipped; the exit status is 2\n"
	"  --strict  checks all lines first, and does nothing if a line is bad\n"
	"  --csv COLUMN  lines are CSV; the key is a column, by name or number, or\n"
	"            several columns (dst_ip,dst_port)\n"
	"  --copies  stores a further copy of a key that exists; if the filter has a\n"
	"            window, the window of the key begins again. Without --copies, bloom,\n"
	"            cuckoo, map and bitmap store only keys that do not exist; counting,\n"
	"            cms and cmm count each add\n"
	"  --new     stores only keys that are not seen, also in type counting\n"
	"  --        ends the options: the next words are keys, even if they begin with -\n"
	"\n"
	"In a cuckoo filter two keys with the same fingerprint share one entry, and\n"
	"deleting either key deletes both. If you delete keys, use bits 32, --copies, or\n"
	"a map.\n"
	"\n"
	"The filter determines the form of a key: an address (host); the fields in order\n"
	"with commas between them, such as 10.0.0.1,10.0.0.2,tcp,80,1024 (flow); text, or\n"
	"0x and hex digits (bytes).\n"
	"test prints \"KEY seen\", \"KEY new\", or \"KEY allowed\" for a key on the allow list.\n"
	"The exit status is 0 if all keys are seen, else 1.\n"
	"count prints \"KEY N\": the number of copies (cuckoo) or of occurrences (counting,\n"
	"up to 15; cms; cmm). In a map N is the value of the key, or - if the map does\n"
	"not have the key.\n"
	"value V: for a map; 0 unless given. A key that exists gets the given value,\n"
	"except with --new. On standard input the value is the last word of a line.\n"
	"del of a key that was never added may delete another key with the same\n"
	"fingerprint.\n"
	"show lists the keys of a map or a bitmap, as text that key add NAME - reads.\n"
	"explain reads a capture (pcap, pcapng). For each packet it prints the bytes of\n"
	"its key, for a filter or for SPEC, and where they come from, or why the packet\n"
	"has no key.\n",
};
