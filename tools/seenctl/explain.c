// SPDX-License-Identifier: GPL-2.0
/* key explain: print the key of each packet of a capture, and where its bytes come from. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../lib/explain.h"
#include "linktype.h"
#include "seenctl.h"

/* Maximum number of bytes of a key, or of a payload, in text output; JSON has all bytes. */
#define HEX_BYTES	160

/**
 * struct view - a capture that is explained
 * @spec: the key
 * @of: explanation of the current packet
 * @room: buffer for the bytes of its key
 * @size: size of @room
 * @hex: buffer for bytes as hex digits
 */
struct view {
	struct seen_key_spec spec;
	struct seen_explanation of;
	uint8_t *room;
	size_t size;
	char *hex;
};

static const char *hex(const struct view *view, const uint8_t *bytes,
		       size_t len)
{
	size_t most = ctl.json ? len : HEX_BYTES;
	char *at = view->hex + sprintf(view->hex, "0x");

	for (size_t i = 0; i < len && i < most; i++)
		at += sprintf(at, "%02x", bytes[i]);
	if (len > most)
		sprintf(at, "... (%zu bytes)", len);
	return view->hex;
}

static void forget(struct view *view)
{
	free(view->room);
	free(view->hex);
	view->room = NULL;
	view->hex = NULL;
	view->size = 0;
}

/* Allocate buffers for a packet of @len bytes; false: no memory. */
static bool make_room(struct view *view, size_t len)
{
	size_t size = SEEN_EXPLAIN_ROOM(len);

	if (size <= view->size)
		return true;
	forget(view);
	view->room = malloc(size);
	view->hex = malloc(2 * size + 64);
	view->size = view->room && view->hex ? size : 0;
	return view->size;
}

/* The first field that the packet does not have, or NULL. */
static const struct seen_part *missing(const struct seen_explanation *of)
{
	for (unsigned int i = 0; i < of->parts; i++)
		if (!of->part[i].len)
			return &of->part[i];
	return NULL;
}

/* Bytes of a field in hex digits; a payload without the length that precedes it in a key. */
static const char *part_hex(const struct view *view,
			    const struct seen_part *part)
{
	size_t head = strcmp(part->name, "payload") ? 0 : sizeof(uint32_t);

	return hex(view, part->bytes + head, part->len - head);
}

static void part_text(const struct view *view, const struct seen_part *part)
{
	next_line();
	printf("    %-9s", part->name);
	if (!part->len) {
		printf(" missing: %s", part->why);
		return;
	}
	if (part->at >= 0)
		put("at", "%d", part->at);
	put("hex", "%s", part_hex(view, part));
	if (*part->text)
		put("text", "%s", part->text);
	if (*part->why)
		printf(" (%s)", part->why);
}

static void part_trail_text(const struct seen_trail_part *trail)
{
	next_line();
	printf("    trail    ");
	put("at", "%u", trail->at);
	put("bytes", "%u", trail->bytes);
	put("hops", "%u", trail->hops);
	if (trail->strike)
		printf(" strike");
	printf(" (part of no key)");
}

static void packet_text(const struct view *view, unsigned long number,
			const struct capture_packet *packet)
{
	const struct seen_explanation *of = &view->of;
	const struct seen_part *part = missing(of);

	printf("packet %lu bytes %u", number, packet->len);
	if (packet->captured < packet->len)
		put("captured", "%u", packet->captured);
	for (unsigned int i = 0; i < of->tunnels; i++)
		printf("%s%s", i ? "," : " tunnels ", of->tunnel[i]);
	if (of->len)
		put("key", "%s", hex(view, of->key, of->len));
	else if (part)
		put("no key:", "%s: %s", part->name, part->why);
	else
		put("no key:", "%s", of->why);
	if (of->shut) {
		next_line();
		printf("    not opened: %s", of->shut);
	}
	for (unsigned int i = 0; i < of->parts; i++)
		part_text(view, &of->part[i]);
	if (of->trail.bytes)
		part_trail_text(&of->trail);
	putchar('\n');
}

static void part_json(const struct view *view, const struct seen_part *part)
{
	json_open(NULL, '{');
	json_text("field", part->name);
	if (part->at >= 0)
		json_number("at", part->at);
	if (part->len) {
		json_text("hex", part_hex(view, part));
		json_text("text", part->text);
	}
	json_bool("missing", !part->len);
	if (*part->why)
		json_text("why", part->why);
	json_close();
}

static void part_trail_json(const struct seen_trail_part *trail)
{
	json_open("trail", '{');
	json_number("at", trail->at);
	json_number("bytes", trail->bytes);
	json_number("hops", trail->hops);
	json_bool("strike", trail->strike);
	json_close();
}

static void packet_json(const struct view *view, unsigned long number,
			const struct capture_packet *packet)
{
	const struct seen_explanation *of = &view->of;
	const struct seen_part *part = missing(of);

	json_open(NULL, '{');
	json_number("packet", number);
	json_number("bytes", packet->len);
	json_number("captured", packet->captured);
	json_open("tunnels", '[');
	for (unsigned int i = 0; i < of->tunnels; i++)
		json_text(NULL, of->tunnel[i]);
	json_close();
	if (of->shut)
		json_text("not-opened", of->shut);
	if (of->len)
		json_text("key", hex(view, of->key, of->len));
	else
		json_text("why", part ? part->why : of->why);
	if (part)
		json_text("missing", part->name);
	json_open("fields", '[');
	for (unsigned int i = 0; i < of->parts; i++)
		part_json(view, &of->part[i]);
	json_close();
	if (of->trail.bytes)
		part_trail_json(&of->trail);
	json_close();
}

/* Explain a packet with an unsupported link type. */
static void explain_type(struct view *view, uint32_t type)
{
	char name[LINKTYPE_NAME_LEN];

	view->of = (struct seen_explanation) {};
	snprintf(view->of.why, sizeof(view->of.why), "link type %s is not supported",
		 linktype_name(type, name));
}

static int tell_packet(struct view *view, unsigned long number,
		       const struct capture_packet *packet)
{
	const struct linktype *linktype = linktype_find(packet->type);
	struct seen_frame frame;

	if (!make_room(view, packet->captured))
		return refused("packet %lu: not enough memory", number);
	if (linktype) {
		frame = linktype_frame(linktype, packet);
		seen_explain(&view->spec, &frame, &view->of, view->room);
	} else {
		explain_type(view, packet->type);
	}
	if (ctl.json)
		packet_json(view, number, packet);
	else
		packet_text(view, number, packet);
	return DONE;
}

static int read_capture(struct capture *in, struct view *view)
{
	struct capture_record record;
	unsigned long number = 0;
	int result, status = DONE;

	while (!status && (result = capture_next(in, &record)) > 0)
		if (record.kind == CAPTURE_PACKET)
			status = tell_packet(view, ++number, &record.packet);
	if (status || !result)
		return status;
	return refused("standard input: after packet %lu: %s",
		       number, in->error);
}

/* Use a duplicate, so that standard input stays open for later commands of a batch. */
static int read_stream(struct view *view)
{
	struct capture in;
	int fd = dup(STDIN_FILENO);
	int status;

	if (fd < 0)
		return refused("standard input: %s", strerror(errno));
	if (capture_open(&in, fd))
		status = read_capture(&in, view);
	else
		status = refused("standard input: %s", in.error);
	capture_close(&in);
	return status;
}

/* Read the key of a filter, or a key on the command line, which needs no kernel. */
static int read_spec(struct args *args, struct seen_key_spec *spec)
{
	char error[SEEN_KEY_ERROR_LEN], name[SEEN_NAME_MAX];
	int status;

	if (args->argc == 2 && !strcmp(*args->argv, "key")) {
		args_next(args);
		return seen_key_spec_parse(spec, args_next(args), error) ?
		       usage("key: %s", error) : DONE;
	}
	if (!args->argc)
		return usage("name: required, or key SPEC");
	status = args_name(args, "name", name);
	if (!status)
		status = args_end(args);
	if (!status)
		status = learn_spec(name, spec);
	return status ? status : linktype_check(spec);
}

int key_explain(struct args *args)
{
	static struct view view;
	int status = read_spec(args, &view.spec);

	if (status)
		return status;
	if (ctl.batch && !strcmp(ctl.batch, "-"))
		return usage("standard input already holds the commands");
	if (isatty(STDIN_FILENO))
		return usage("CAPTURE: required on standard input (< FILE)");
	status = read_stream(&view);
	forget(&view);
	return status;
}
