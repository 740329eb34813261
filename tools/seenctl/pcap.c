// SPDX-License-Identifier: GPL-2.0
/*
 * pcap: packets of a capture that came before, within a window of the capture's own
 * time, are left out. Keys are made by the kernel's code.
 *
 * Direction of error: a false positive leaves out a packet that is no copy. A packet
 * without a key passes. A packet passes too if the capture cut off bytes of its key. A
 * copy passes if the filter had to forget the first one.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../lib/local.h"
#include "../lib/replace.h"
#include "link.h"
#include "pcap_late.h"
#include "progress.h"
#include "seenctl.h"
#include "stream.h"
#include "timeline.h"

#define FPP_DEFAULT		(SEEN_FPP_ONE / 1000000)
#define WINDOW_DEFAULT		50000000
#define CAPACITY_DEFAULT	1000000
#define BUFFER			1048576
/* The first copies that a dry run tells. */
#define FIRST			5

/* What a dry run asks by, if it is not told. */
static const char *const profiles[] = {
	"packet", "packet,inner", "frame", "relay",
};

/* A packet that came before. */
struct copy {
	uint64_t number;
	uint64_t time;
};

/**
 * struct judge - a key and what it has found
 * @text: of the key
 * @spec: the key
 * @local: its filter
 * @copies: found
 * @keyless: packets without such a key
 * @cut: packets that pass because the capture cut off bytes of their key
 * @part: those among them that still have some bytes of payload
 * @payload: bytes of payload that each of those has at least; 0: there are none
 * @first: of the copies
 */
struct judge {
	const char *text;
	struct seen_key_spec spec;
	struct seen_local *local;
	uint64_t copies;
	uint64_t keyless;
	uint64_t cut;
	uint64_t part;
	size_t payload;
	struct copy first[FIRST];
};

/**
 * struct pass - through a capture
 * @judge: one, or in a dry run some
 * @judges: how many
 * @config: of their filters
 * @in: the capture
 * @link: its link type
 * @out: where packets go; NULL: a dry run
 * @path: of that
 * @to: the same, below @out
 * @progress: on the terminal
 * @timeline: of the packets
 * @time: ns, of the last one
 * @bytes: read
 * @packets: read
 */
struct pass {
	struct judge judge[ARRAY_SIZE(profiles)];
	size_t judges;
	struct seen_filter_config config;
	pcap_t *in;
	const struct link *link;
	pcap_dumper_t *out;
	const char *path;
	struct seen_replace to;
	struct progress progress;
	struct timeline timeline;
	uint64_t time;
	uint64_t bytes;
	uint64_t packets;
};

static void note_cut(struct judge *judge, const struct seen_frame *frame)
{
	size_t payload = 0;

	if (seen_key_spec_head(&judge->spec))
		payload = seen_frame_payload(&judge->spec, frame);
	if (payload && (!judge->payload || payload < judge->payload))
		judge->payload = payload;
	judge->part += !!payload;
	judge->cut++;
}

static bool is_copy(const struct pass *pass, struct judge *judge,
		    const struct seen_frame *frame)
{
	int result = seen_frame_test_and_add(judge->local, &judge->spec, frame);

	if (result == SEEN_FRAME_CUT)
		note_cut(judge, frame);
	judge->keyless += result == SEEN_FRAME_KEYLESS;
	if (result != SEEN_KEY_SEEN)
		return false;
	if (judge->copies < FIRST)
		judge->first[judge->copies] = (struct copy) {
			pass->packets, pass->time,
		};
	judge->copies++;
	return true;
}

/* A packet that is late is judged as if it were of now. */
static int follow_time(struct pass *pass, const struct pcap_pkthdr *head)
{
	bool nano = pcap_get_tstamp_precision(pass->in) ==
		    PCAP_TSTAMP_PRECISION_NANO;
	int status;
	bool moved;

	pass->time = head->ts.tv_sec * UINT64_C(1000000000) +
		     head->ts.tv_usec * (nano ? UINT64_C(1) : UINT64_C(1000));
	status = timeline_step(&pass->timeline, pass->time, &moved);
	if (!status && moved)
		seen_local_clock(pass->timeline.clock);
	return status;
}

/* An input may have no end: who does not write must not read on. */
static int pass_on(struct pass *pass, const struct pcap_pkthdr *head,
		   const u_char *bytes)
{
	pcap_dump((u_char *)pass->out, head, bytes);
	if (!ferror(pcap_dump_file(pass->out)))
		return DONE;
	return refused("%s: %s", pass->path, strerror(errno));
}

static int judge_packet(struct pass *pass, const struct pcap_pkthdr *head,
			const u_char *bytes)
{
	struct seen_frame frame = link_frame(pass->link, bytes, head);
	int status = follow_time(pass, head);
	bool copy = false;

	if (status)
		return status;
	pass->packets++;
	pass->bytes += head->caplen + sizeof(uint32_t[4]);
	for (size_t i = 0; i < pass->judges; i++)
		copy = is_copy(pass, &pass->judge[i], &frame);
	return pass->out && !copy ? pass_on(pass, head, bytes) : DONE;
}

static int judge_all(struct pass *pass)
{
	struct pcap_pkthdr *head;
	const u_char *bytes;
	int result, status;

	while ((result = pcap_next_ex(pass->in, &head, &bytes)) == 1) {
		status = judge_packet(pass, head, bytes);
		if (status)
			return status;
		progress_step(&pass->progress, pass->bytes, pass->packets);
	}
	if (result == PCAP_ERROR_BREAK)
		return DONE;
	progress_end(&pass->progress);
	return refused("the capture cannot be read behind packet %ju: %s",
		       pass->packets, pcap_geterr(pass->in));
}

/* The key of which enough was captured, if there is one: "" otherwise. */
static const char *fitting_key(const struct judge *judge)
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

static void cut_text(const struct judge *judge)
{
	const char *key = fitting_key(judge);

	printf("        cut %ju: too little was captured to make this key, so they pass",
	       judge->cut);
	if (*key)
		printf("; --key %s judges %ju of them, but not by what lies behind that",
		       key, judge->part);
	else if (seen_key_spec_head(&judge->spec))
		printf("; capture more of each packet");
	putchar('\n');
}

static void judge_text(const struct judge *judge)
{
	struct seen_filter_info info;
	char text[TEXT_LEN];

	seen_local_info(judge->local, &info);
	printf("    key %s copies %ju keyless %ju window-kept %s\n", judge->text,
	       judge->copies, judge->keyless, text_about(text, info.effective));
	if (judge->cut)
		cut_text(judge);
}

static void first_text(const struct judge *judge)
{
	for (size_t i = 0; i < FIRST && i < judge->copies; i++)
		printf("        packet %ju at %ju.%09ju\n",
		       judge->first[i].number,
		       judge->first[i].time / 1000000000,
		       judge->first[i].time % 1000000000);
}

static void tell_text(const struct pass *pass, double seconds)
{
	printf("packets %ju", pass->packets);
	if (pass->out)
		printf(" passed %ju dropped %ju",
		       pass->packets - pass->judge->copies,
		       pass->judge->copies);
	if (pass->timeline.earlier)
		put_number("earlier", pass->timeline.earlier);
	if (pass->timeline.restarts)
		put_number("restarts", pass->timeline.restarts);
	if (pass->out && pass->judge->cut)
		put_number("cut", pass->judge->cut);
	put("seconds", "%.2f", seconds);
	putchar('\n');
	for (size_t i = 0; i < pass->judges; i++) {
		judge_text(&pass->judge[i]);
		if (!pass->out)
			first_text(&pass->judge[i]);
	}
}

static void judge_json(const struct judge *judge)
{
	struct seen_filter_info info;

	seen_local_info(judge->local, &info);
	json_open(NULL, '{');
	json_text("key", judge->text);
	json_number("copies", judge->copies);
	json_number("keyless", judge->keyless);
	json_number("cut", judge->cut);
	if (judge->cut && *fitting_key(judge))
		json_text("fitting-key", fitting_key(judge));
	json_number("window-kept", info.effective);
	json_number("bytes", info.bytes);
	json_open("first", '[');
	for (size_t i = 0; i < FIRST && i < judge->copies; i++) {
		json_open(NULL, '{');
		json_number("packet", judge->first[i].number);
		json_number("time", judge->first[i].time);
		json_close();
	}
	json_close();
	json_close();
}

static void tell_json(const struct pass *pass, double seconds)
{
	json_open(NULL, '{');
	json_number("packets", pass->packets);
	json_number("dropped", pass->out ? pass->judge->copies : 0);
	json_number("earlier", pass->timeline.earlier);
	json_number("restarts", pass->timeline.restarts);
	if (pass->out)
		json_number("cut", pass->judge->cut);
	json_real("seconds", seconds);
	json_open("keys", '[');
	for (size_t i = 0; i < pass->judges; i++)
		judge_json(&pass->judge[i]);
	json_close();
	json_close();
}

static int add_judge(struct pass *pass, const char *key)
{
	struct judge *judge = &pass->judge[pass->judges];
	char error[SEEN_KEY_ERROR_LEN];
	int status;

	if (seen_key_spec_parse(&judge->spec, key, error))
		return usage("--key: %s", error);
	status = link_check(&judge->spec);
	if (status)
		return status;
	judge->text = key;
	pass->config.key = judge->spec;
	if (seen_local_create(&judge->local, &pass->config))
		return usage("--%s", seen_local_error());
	pass->judges++;
	return DONE;
}

static int add_judges(struct pass *pass, const char *key, bool dry)
{
	int status = DONE;

	if (key || !dry)
		return add_judge(pass, key ? key : profiles[0]);
	for (size_t i = 0; i < ARRAY_SIZE(profiles) && !status; i++)
		status = add_judge(pass, profiles[i]);
	return status;
}

/* Only the oldest format has no room for nanoseconds. */
static bool has_nanoseconds(FILE *stream)
{
	static const unsigned char micro[][4] = {
		{ 0xa1, 0xb2, 0xc3, 0xd4 }, { 0xd4, 0xc3, 0xb2, 0xa1 },
	};
	unsigned char magic[4];
	size_t got = fread(magic, 1, sizeof(magic), stream);

	for (size_t i = got; i; i--)
		ungetc(magic[i - 1], stream);
	return memcmp(magic, micro[0], got) && memcmp(magic, micro[1], got);
}

/* @stream: or NULL, with errno. */
static FILE *opened(const char *path, FILE *stream)
{
	if (!stream)
		refused("%s: %s", path, strerror(errno));
	else
		setvbuf(stream, NULL, _IOFBF, BUFFER);
	return stream;
}

static int open_in(struct pass *pass, const char *path)
{
	unsigned int unit = PCAP_TSTAMP_PRECISION_MICRO;
	char error[PCAP_ERRBUF_SIZE];
	FILE *stream;

	if (pcap_ready())
		return REFUSED;
	stream = opened(path, strcmp(path, "-") ? fopen(path, "rb") :
			fdopen(dup(STDIN_FILENO), "rb"));
	if (!stream)
		return REFUSED;
	if (has_nanoseconds(stream))
		unit = PCAP_TSTAMP_PRECISION_NANO;
	pass->in = pcap_fopen_offline_with_tstamp_precision(stream, unit, error);
	if (!pass->in) {
		fclose(stream);
		return refused("%s: not a capture: %s", path, error);
	}
	progress_start(&pass->progress, fileno(stream));
	pass->progress.noun = "packets";
	pass->link = link_of(pass->in);
	return pass->link ? DONE : REFUSED;
}

/* To write over what is being read would lose it. */
static bool same_file(pcap_t *in, const char *path)
{
	struct stat a, b;

	return !fstat(fileno(pcap_file(in)), &a) && !stat(path, &b) &&
	       S_ISREG(a.st_mode) && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

/* @fd: standard output, or -1 */
static int begin_out(struct pass *pass, const char *path, int fd)
{
	if (fd < 0)
		return seen_replace_begin(&pass->to, path, SEEN_REPLACE_LIVE);
	pass->to = (struct seen_replace) { .fd = fd, .through = true };
	return 0;
}

static int open_out(struct pass *pass, const char *path, int fd)
{
	FILE *stream;
	int err;

	if (same_file(pass->in, path))
		return usage("%s: it is the capture that is read", path);
	err = begin_out(pass, path, fd);
	if (err)
		return refused("%s: %s", path, strerror(-err));
	pass->path = path;
	stream = opened(path, seen_replace_stream(&pass->to));
	if (stream)
		pass->out = pcap_dump_fopen(pass->in, stream);
	if (pass->out)
		return DONE;
	if (stream) {
		refused("%s: %s", path, pcap_geterr(pass->in));
		fclose(stream);
	}
	seen_replace_end(&pass->to, -ECANCELED);
	return REFUSED;
}

/* Of a capture that ends in the midst of a packet what came before is kept. */
static int close_out(struct pass *pass, int status)
{
	FILE *stream = pcap_dump_file(pass->out);
	bool said = ferror(stream);
	int closed = DONE;
	int err;

	if (said || pcap_dump_flush(pass->out))
		closed = said ? REFUSED :
			 refused("%s: %s", pass->path, strerror(errno));
	pcap_dump_close(pass->out);
	if (closed || (status && !pass->packets)) {
		seen_replace_end(&pass->to, -ECANCELED);
		return closed;
	}
	err = seen_replace_end(&pass->to, 0);
	return err ? refused("%s: %s", pass->path, strerror(-err)) : DONE;
}

static int run(struct pass *pass, const char *in, const char *out, int fd)
{
	double start = stream_now();
	int status, closed = DONE;

	status = open_in(pass, in);
	if (!status && out)
		status = open_out(pass, out, fd);
	if (!status)
		status = judge_all(pass);
	if (pass->out)
		closed = close_out(pass, status);
	progress_end(&pass->progress);
	if (!closed && pass->packets) {
		if (ctl.json)
			tell_json(pass, stream_now() - start);
		else
			tell_text(pass, stream_now() - start);
	}
	if (pass->in)
		pcap_close(pass->in);
	return status ? status : closed;
}

static int read_key(const struct param *param, const char *value)
{
	*(const char **)param->into = value;
	return DONE;
}

static int clean(struct args *args, struct pass *pass)
{
	bool dry = false, dry_too = false;
	const char *in = args_next(args), *out = NULL, *key = NULL;
	const struct param params[] = {
		{ "--key", read_key, &key },
		{ "--window", read_duration, &pass->config.window },
		{ "--fpp", read_rate, &pass->config.fpp },
		{ "--capacity", read_count, &pass->config.capacity },
		{ "--dry-run", NULL, &dry },
		{ "-n", NULL, &dry_too },
	};
	int status, fd = -1;

	if (!in)
		return usage("the capture is missing: seenctl pcap IN OUT");
	if (args->argc && (**args->argv != '-' || !strcmp(*args->argv, "-")))
		out = args_next(args);
	status = params_read(args, params, ARRAY_SIZE(params), NULL);
	if (status)
		return status;
	pass->timeline.window = pass->config.window;
	dry |= dry_too;
	if (dry == !!out)
		return usage(dry ? "a dry run writes nothing to %s" :
			     "where to? seenctl pcap IN OUT", out);
	/* Filters are of the time of packets from the first moment on. */
	seen_local_clock(0);
	status = add_judges(pass, key, dry);
	if (!status && ctl.batch && !strcmp(ctl.batch, "-") && !strcmp(in, "-"))
		return usage("standard input has the commands already");
	if (!status && out && !strcmp(out, "-")) {
		fd = stream_out();
		status = fd < 0 ? USAGE : DONE;
	}
	return status ? status : run(pass, in, out, fd);
}

static int pcap(struct args *args)
{
	struct pass pass = {
		.config = {
			.type = SEEN_TYPE_CUCKOO,
			.capacity = CAPACITY_DEFAULT,
			.fpp = FPP_DEFAULT,
			.window = WINDOW_DEFAULT,
		},
	};
	int status = clean(args, &pass);

	for (size_t i = 0; i < pass.judges; i++)
		seen_local_close(pass.judge[i].local);
	return status;
}

static const struct command commands[] = {
	{ "", pcap,
	  "IN { OUT | --dry-run } [--key SPEC] [--window W] [--fpp P]\n"
	  "            [--capacity N]" },
};

const struct object pcap_object = {
	.name = "pcap",
	.summary = "packets that came before are left out of a capture",
	.command = commands,
	.commands = ARRAY_SIZE(commands),
	.help =
	"IN is pcap or pcapng (Ethernet, raw IP or Linux cooked), OUT is pcap; \"-\" is\n"
	"standard input or output. Packets are told apart by SPEC, as filters have it (key\n"
	"packet unless given), and left out for W after the one that passed, 50ms unless\n"
	"given, by the capture's own time. A packet without a key passes. A packet passes too\n"
	"if the capture cut off bytes of its key (cut). Where time goes back by more than W all\n"
	"before it is forgotten (restarts). An OUT that is there is replaced at the end.\n"
	"A packet is taken for a copy that it is not with a probability of at most P, 1e-6\n"
	"unless given. Within W there is room for N packets, a million unless given; what\n"
	"is beyond that is forgotten early, which window-kept tells.\n"
	"A dry run tells how many copies there are by SPEC or by some, and the first five.\n",
};
