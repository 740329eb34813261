// SPDX-License-Identifier: GPL-2.0
/* key explain: what each packet of a capture gives to a filter's key. */
#include <errno.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../lib/explain.h"
#include "link.h"
#include "pcap_late.h"
#include "seenctl.h"

/* Room for 0x, two digits a byte, and NUL. */
#define HEX_LEN		(2 * SEEN_KEY_MAX + 3)

static const char *hex(const uint8_t *bytes, size_t len)
{
	static char text[HEX_LEN];

	strcpy(text, "0x");
	for (size_t i = 0; i < len; i++)
		sprintf(text + 2 + 2 * i, "%02x", bytes[i]);
	return text;
}

/* The first field that is not there, or NULL. */
static const struct seen_part *missing(const struct seen_explanation *of)
{
	for (unsigned int i = 0; i < of->parts; i++)
		if (!of->part[i].len)
			return &of->part[i];
	return NULL;
}

static void part_text(const struct seen_part *part)
{
	printf("    %-9s", part->name);
	if (!part->len) {
		printf(" missing: %s\n", part->why);
		return;
	}
	if (part->at >= 0)
		put("at", "%d", part->at);
	put("hex", "%s", hex(part->bytes, part->len));
	if (*part->text)
		put("text", "%s", part->text);
	if (*part->why)
		printf(" (%s)", part->why);
	putchar('\n');
}

static void packet_text(unsigned long number, const struct pcap_pkthdr *head,
			const struct seen_explanation *of)
{
	const struct seen_part *part = missing(of);

	printf("packet %lu bytes %u", number, head->len);
	if (head->caplen < head->len)
		put("captured", "%u (the whole packet may have another key)",
		    head->caplen);
	if (of->tunnels)
		put("tunnels", "%u", of->tunnels);
	if (of->len)
		put("key", "%s", hex(of->key, of->len));
	else if (part)
		put("no key:", "%s: %s", part->name, part->why);
	else
		put("no key:", "%s", of->why);
	putchar('\n');
	for (unsigned int i = 0; i < of->parts; i++)
		part_text(&of->part[i]);
}

static void part_json(const struct seen_part *part)
{
	json_open(NULL, '{');
	json_text("field", part->name);
	if (part->at >= 0)
		json_number("at", part->at);
	if (part->len) {
		json_text("hex", hex(part->bytes, part->len));
		json_text("text", part->text);
	}
	json_bool("missing", !part->len);
	if (*part->why)
		json_text("why", part->why);
	json_close();
}

static void packet_json(unsigned long number, const struct pcap_pkthdr *head,
			const struct seen_explanation *of)
{
	const struct seen_part *part = missing(of);

	json_open(NULL, '{');
	json_number("packet", number);
	json_number("bytes", head->len);
	json_number("captured", head->caplen);
	json_number("tunnels", of->tunnels);
	if (of->len)
		json_text("key", hex(of->key, of->len));
	else
		json_text("why", part ? part->why : of->why);
	if (part)
		json_text("missing", part->name);
	json_open("fields", '[');
	for (unsigned int i = 0; i < of->parts; i++)
		part_json(&of->part[i]);
	json_close();
	json_close();
}

static int tell_packets(pcap_t *capture, const struct link *link,
			const struct seen_key_spec *spec)
{
	static struct seen_explanation explanation;
	struct pcap_pkthdr *head;
	unsigned long number = 0;
	const u_char *bytes;
	int result;

	while ((result = pcap_next_ex(capture, &head, &bytes)) == 1) {
		struct seen_frame frame = link_frame(link, bytes, head->caplen);

		seen_explain(spec, &frame, &explanation);
		if (ctl.json)
			packet_json(++number, head, &explanation);
		else
			packet_text(++number, head, &explanation);
	}
	if (result == PCAP_ERROR_BREAK)
		return DONE;
	return refused("the capture is damaged behind packet %lu: %s", number,
		       pcap_geterr(capture));
}

static int read_capture(pcap_t *capture, const struct seen_key_spec *spec)
{
	const struct link *link = link_of(capture);

	return link ? tell_packets(capture, link, spec) : REFUSED;
}

/* Standard input itself stays open, for what comes next in a batch. */
static int read_stream(const struct seen_key_spec *spec)
{
	char error[PCAP_ERRBUF_SIZE];
	FILE *stream;
	pcap_t *capture;
	int fd, status;

	if (pcap_ready())
		return REFUSED;
	fd = dup(STDIN_FILENO);
	stream = fd < 0 ? NULL : fdopen(fd, "rb");
	if (!stream)
		return refused("standard input: %s", strerror(errno));
	capture = pcap_fopen_offline(stream, error);
	if (!capture) {
		fclose(stream);
		return refused("not a capture: %s", error);
	}
	status = read_capture(capture, spec);
	pcap_close(capture);
	return status;
}

/* A filter's key, or one of the command line's own: no filter is needed then. */
static int read_spec(struct args *args, struct seen_key_spec *spec)
{
	char error[SEEN_KEY_ERROR_LEN], name[SEEN_NAME_MAX];
	int status;

	if (args->argc == 2 && !strcmp(*args->argv, "key")) {
		args_next(args);
		return seen_key_spec_parse(spec, args_next(args), error) ?
		       usage("key: %s", error) : DONE;
	}
	status = args_name(args, "the filter's name, or key SPEC,", name);
	if (!status)
		status = args_end(args);
	if (!status)
		status = learn_spec(name, spec);
	return status ? status : link_check(spec);
}

int key_explain(struct args *args)
{
	struct seen_key_spec spec;
	int status = read_spec(args, &spec);

	if (status)
		return status;
	if (ctl.batch && !strcmp(ctl.batch, "-"))
		return usage("standard input has the commands already");
	if (isatty(STDIN_FILENO))
		return usage("where is the capture? seenctl key explain ... < FILE");
	return read_stream(&spec);
}
