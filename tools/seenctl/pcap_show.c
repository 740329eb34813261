// SPDX-License-Identifier: GPL-2.0
/* Print the results of "seenctl pcap". */
#include <math.h>
#include <stdio.h>

#include "pcap.h"

#define SECOND	UINT64_C(1000000000)

static size_t firsts(const struct pcap_judge *judge)
{
	uint64_t all = judge->copies + judge->both_ways;

	return all < PCAP_FIRST ? all : PCAP_FIRST;
}

static void copy_text(const struct pcap_copy *copy)
{
	printf("packet %ju at %ju.%09ju: %s ", copy->number, copy->time / SECOND,
	       copy->time % SECOND, copy->both_ways ? "same as" : "copy of");
	if (copy->of)
		printf("packet %ju at %ju.%09ju", copy->of,
		       copy->of_time / SECOND, copy->of_time % SECOND);
	else
		printf("a packet that is no longer stored");
	puts(copy->both_ways ? ", in the other direction" : "");
}

static void copy_json(const struct pcap_copy *copy)
{
	json_open(NULL, '{');
	json_number("packet", copy->number);
	json_number("time", copy->time);
	if (copy->of) {
		json_number("of", copy->of);
		json_number("of-time", copy->of_time);
	}
	json_bool("both-ways", copy->both_ways);
	json_close();
}

/* Open the array of copies. It precedes the figures, which are not known yet. */
static void list_json(struct pcap_pass *pass)
{
	if (pass->listed)
		return;
	pass->listed = true;
	json_open(NULL, '{');
	json_open("list", '[');
}

void pcap_show_copy(struct pcap_pass *pass, const struct pcap_copy *copy)
{
	if (!ctl.json) {
		copy_text(copy);
		return;
	}
	list_json(pass);
	copy_json(copy);
}

/* The key with a payload so short that each packet in @part has it; "": no key fits. */
static const char *fitting_key(const struct pcap_judge *judge)
{
	static char text[SEEN_KEY_SPEC_LEN];
	struct seen_key_spec spec = judge->spec;

	if (!judge->payload || judge->payload > SEEN_PAYLOAD_MAX)
		return "";
	for (uint32_t i = 0; i < spec.count; i++)
		if (spec.field[i].id == SEEN_FIELD_PAYLOAD)
			spec.field[i].param = judge->payload;
	seen_key_spec_format(&spec, text);
	return text;
}

static void cut_text(const struct pcap_judge *judge)
{
	const char *key = fitting_key(judge);

	printf("        cut %ju: too few bytes were captured for this key, so these packets pass",
	       judge->cut);
	if (*key)
		printf("; --key %s judges %ju of them, by only the first %zu bytes of payload",
		       key, judge->part, judge->payload);
	else if (seen_key_spec_head(&judge->spec))
		printf("; capture more of each packet");
	putchar('\n');
}

static void first_text(const struct pcap_judge *judge)
{
	size_t shown = firsts(judge);
	uint64_t more = judge->copies + judge->both_ways - shown;

	for (size_t i = 0; i < shown; i++) {
		fputs("        ", stdout);
		copy_text(&judge->first[i]);
	}
	if (more)
		printf("        and %ju more: --key %s lists all\n", more,
		       judge->text);
}

static void judge_text(const struct pcap_judge *judge)
{
	struct seen_filter_info info;
	char text[TEXT_LEN];

	seen_local_info(judge->local, &info);
	printf("    key %s copies %ju", judge->text, judge->copies);
	if (judge->both_ways)
		put_number("both-ways", judge->both_ways);
	printf(" keyless %ju window-kept %s\n", judge->keyless,
	       text_about(text, info.effective));
	if (judge->cut)
		cut_text(judge);
}

static void type_text(const char *name, uint64_t packets)
{
	printf("    link type %s is not supported, so its packets pass (%ju)\n",
	       name, packets);
}

static void types_text(const struct pcap_pass *pass)
{
	char name[LINKTYPE_NAME_LEN];

	for (size_t i = 0; i < PCAP_TYPES && pass->types[i].packets; i++)
		type_text(linktype_name(pass->types[i].type, name),
			  pass->types[i].packets);
	if (pass->others)
		type_text("(others)", pass->others);
}

static void lost_text(const struct capture_out *out)
{
	if (!(out->options || out->interfaces || out->others || out->blocks ||
	      out->longer))
		return;
	printf("    pcap has no room for: packet-options %ju", out->options);
	put_number("interface-options", out->interfaces);
	put_number("packets-of-other-interfaces", out->others);
	put_number("other-blocks", out->blocks);
	if (out->longer)
		put_number("longer-packets", out->longer);
	puts("; to keep them, name the output .pcapng");
}

static uint64_t dropped(const struct pcap_pass *pass)
{
	return pass->writes ? pass->judge->copies + pass->judge->both_ways : 0;
}

/* Number of packets that were written. */
static uint64_t passed(const struct pcap_pass *pass)
{
	return pass->packets - dropped(pass) - pass->out.longer;
}

static void show_text(const struct pcap_pass *pass, double seconds)
{
	printf("packets %ju", pass->packets);
	if (pass->writes)
		printf(" passed %ju dropped %ju", passed(pass), dropped(pass));
	if (pass->timeline.earlier)
		put_number("earlier", pass->timeline.earlier);
	if (pass->timeline.restarts)
		put_number("restarts", pass->timeline.restarts);
	if (pass->writes && pass->judge->cut)
		put_number("cut", pass->judge->cut);
	put("seconds", "%.2f", seconds);
	putchar('\n');
	for (size_t i = 0; i < pass->judges; i++) {
		judge_text(&pass->judge[i]);
		if (!pass->writes && !pass->list)
			first_text(&pass->judge[i]);
	}
	types_text(pass);
	lost_text(&pass->out);
}

static void judge_json(const struct pcap_judge *judge)
{
	struct seen_filter_info info;

	seen_local_info(judge->local, &info);
	json_open(NULL, '{');
	json_text("key", judge->text);
	json_number("copies", judge->copies);
	json_number("both-ways", judge->both_ways);
	json_number("keyless", judge->keyless);
	json_number("cut", judge->cut);
	if (judge->cut && *fitting_key(judge))
		json_text("fitting-key", fitting_key(judge));
	json_number("effective", info.effective);
	json_number("bytes", info.bytes);
	json_open("first", '[');
	for (size_t i = 0; i < firsts(judge); i++)
		copy_json(&judge->first[i]);
	json_close();
	json_close();
}

static void types_json(const struct pcap_pass *pass)
{
	char name[LINKTYPE_NAME_LEN];

	json_open("unknown-links", '[');
	for (size_t i = 0; i < PCAP_TYPES && pass->types[i].packets; i++) {
		json_open(NULL, '{');
		json_text("link", linktype_name(pass->types[i].type, name));
		json_number("packets", pass->types[i].packets);
		json_close();
	}
	if (pass->others) {
		json_open(NULL, '{');
		json_text("link", "(others)");
		json_number("packets", pass->others);
		json_close();
	}
	json_close();
}

static void lost_json(const struct capture_out *out)
{
	json_open("left-out", '{');
	json_number("packet-options", out->options);
	json_number("interface-options", out->interfaces);
	json_number("packets-of-other-interfaces", out->others);
	json_number("other-blocks", out->blocks);
	json_number("longer-packets", out->longer);
	json_close();
}

static void show_json(struct pcap_pass *pass, double seconds)
{
	if (pass->list)
		list_json(pass);
	if (pass->list)
		json_close();
	else
		json_open(NULL, '{');
	json_number("packets", pass->packets);
	json_number("dropped", dropped(pass));
	json_number("earlier", pass->timeline.earlier);
	json_number("restarts", pass->timeline.restarts);
	if (pass->writes)
		json_number("cut", pass->judge->cut);
	json_number("duration", llround(seconds * 1e9));
	types_json(pass);
	if (pass->writes)
		lost_json(&pass->out);
	json_open("keys", '[');
	for (size_t i = 0; i < pass->judges; i++)
		judge_json(&pass->judge[i]);
	json_close();
	json_close();
}

void pcap_show(struct pcap_pass *pass, double seconds)
{
	if (ctl.json)
		show_json(pass, seconds);
	else
		show_text(pass, seconds);
}
