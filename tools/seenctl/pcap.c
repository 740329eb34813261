// SPDX-License-Identifier: GPL-2.0
/*
 * pcap: copy a capture without its repeated packets. A packet is a copy if a packet with
 * the same key passed within the window, by the times in the capture. The kernel's code
 * extracts the keys.
 *
 * Direction of error: a false positive leaves out a packet that is not a copy. A packet
 * without a key passes, and so does a packet if the capture cut off bytes of its key. A
 * copy passes if the filter had no room to keep the original for the whole window.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pcap.h"
#include "stream.h"

#define FPP_DEFAULT		(SEEN_FPP_ONE / 1000000)
#define WINDOW_DEFAULT		50000000
#define CAPACITY_DEFAULT	1000000

/* Keys of a dry run without --key. */
static const char *const profiles[PCAP_JUDGES] = {
	"packet", "packet,inner", "frame", "relay",
};

/* A packet with an earlier time than the latest packet is judged at the latest time. */
static int follow_time(struct pcap_pass *pass, uint64_t time)
{
	bool moved;
	int status = timeline_step(&pass->timeline, time, &moved);

	if (!status && moved)
		seen_local_clock(pass->timeline.clock);
	return status;
}

static void note_type(struct pcap_pass *pass, uint32_t type)
{
	if (linktype_find(type))
		return;
	for (size_t i = 0; i < PCAP_TYPES; i++) {
		struct pcap_type *known = &pass->types[i];

		if (known->packets && known->type != type)
			continue;
		known->type = type;
		known->packets++;
		return;
	}
	pass->others++;
}

/* Judge a packet by all keys. Returns the result of pcap_judge() for the last key. */
static int judge_packet(struct pcap_pass *pass,
			const struct capture_packet *packet)
{
	struct pcap_copy copy;
	int result = 0;

	for (size_t i = 0; i < pass->judges && result >= 0; i++)
		result = pcap_judge(&pass->judge[i], pass, packet, &copy);
	if (result > 0 && pass->list)
		pcap_show_copy(pass, &copy);
	return result;
}

/* Judge and copy a record. An error ends the run, because the input may be endless. */
static int take_record(struct pcap_pass *pass,
		       const struct capture_record *record)
{
	int status, result = 0;

	if (record->kind == CAPTURE_PACKET) {
		pass->packets++;
		note_type(pass, record->packet.type);
		status = follow_time(pass, record->packet.time);
		if (status)
			return status;
		result = judge_packet(pass, &record->packet);
	}
	if (result < 0)
		return refused("packet %ju: not enough memory", pass->packets);
	return pass->writes && !result ? capture_out_write(&pass->out, record) :
					 DONE;
}

static int judge_all(struct pcap_pass *pass)
{
	struct capture_record record;
	int result, status;

	while ((result = capture_next(&pass->in, &record)) > 0) {
		status = take_record(pass, &record);
		if (status)
			return status;
		progress_step(&pass->progress, pass->in.from.taken,
			      pass->packets);
	}
	if (!result)
		return DONE;
	progress_end(&pass->progress);
	return refused("the capture cannot be read after packet %ju: %s",
		       pass->packets, pass->in.error);
}

static int add_judge(struct pcap_pass *pass, const char *key)
{
	struct pcap_judge *judge = &pass->judge[pass->judges];
	char error[SEEN_KEY_ERROR_LEN];
	int status;

	if (seen_key_spec_parse(&judge->spec, key, error))
		return usage("--key: %s", error);
	status = linktype_check(&judge->spec);
	if (status)
		return status;
	judge->text = key;
	pass->config.key = judge->spec;
	if (seen_local_create(&judge->local, &pass->config))
		return usage("--%s", seen_local_error());
	judge->passed.most = pass->config.capacity;
	/* The filter keeps a key for up to a tick longer than the window. */
	judge->passed.keep = pass->config.window + pass->config.window / 4;
	judge->all = !pass->writes;
	pass->judges++;
	return DONE;
}

static int add_judges(struct pcap_pass *pass, const char *key)
{
	int status = DONE;

	pass->list = key && !pass->writes;
	if (key || pass->writes)
		return add_judge(pass, key ? key : profiles[0]);
	for (size_t i = 0; i < PCAP_JUDGES && !status; i++)
		status = add_judge(pass, profiles[i]);
	return status;
}

static int open_in(struct pcap_pass *pass, const char *path)
{
	int fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) :
				     dup(STDIN_FILENO);

	if (fd < 0)
		return refused("%s: %s", path, strerror(errno));
	progress_start(&pass->progress, fd);
	pass->progress.noun = "packets";
	if (capture_open(&pass->in, fd))
		return DONE;
	return refused("%s: %s", path, pass->in.error);
}

/* Writing to the file that is read would destroy it. */
static bool same_file(int fd, const char *path)
{
	struct stat a, b;

	return !fstat(fd, &a) && !stat(path, &b) && S_ISREG(a.st_mode) &&
	       a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* @fd: standard output, or -1 */
static int begin_out(struct pcap_pass *pass, const char *path, int fd)
{
	if (fd < 0)
		return seen_replace_begin(&pass->to, path, SEEN_REPLACE_LIVE);
	pass->to = (struct seen_replace) { .fd = fd, .through = true };
	return 0;
}

/* pcap is not converted to pcapng, because records are copied byte for byte. */
static void note_format(const struct pcap_pass *pass, const char *path)
{
	if (pass->in.format == &capture_pcap &&
	    capture_out_named(path, ".pcapng"))
		fprintf(stderr,
			"note: %s: written as pcap, the format of the input; editcap converts it to pcapng\n",
			path);
}

static int open_out(struct pcap_pass *pass, const char *path, int fd)
{
	int err, status;

	if (same_file(pass->in.from.fd, path))
		return usage("%s: OUT must not be IN", path);
	err = begin_out(pass, path, fd);
	if (err)
		return refused("%s: %s", path, strerror(-err));
	status = capture_out_open(&pass->out, &pass->in, pass->to.fd, path);
	if (status)
		seen_replace_end(&pass->to, -ECANCELED);
	else
		note_format(pass, path);
	return status;
}

/* If the input is damaged after the first packet, keep the packets before the damage. */
static int close_out(struct pcap_pass *pass, int status)
{
	int closed = capture_out_close(&pass->out);
	int err;

	if (closed || (status && !pass->packets)) {
		seen_replace_end(&pass->to, -ECANCELED);
		return closed;
	}
	err = seen_replace_end(&pass->to, 0);
	return err ? refused("%s: %s", pass->out.path, strerror(-err)) : DONE;
}

static int read_and_write(struct pcap_pass *pass, const char *out, int fd)
{
	double start = stream_now();
	int status = out ? open_out(pass, out, fd) : DONE;
	int closed = DONE;

	if (status)
		return status;
	status = judge_all(pass);
	if (out)
		closed = close_out(pass, status);
	progress_end(&pass->progress);
	if (!closed && pass->packets)
		pcap_show(pass, stream_now() - start);
	return status ? status : closed;
}

static int run(struct pcap_pass *pass, const char *in, const char *out, int fd)
{
	int status = open_in(pass, in);

	if (!status)
		status = read_and_write(pass, out, fd);
	progress_end(&pass->progress);
	if (pass->in.from.raw)
		capture_close(&pass->in);
	return status;
}
static int read_key(const struct param *param, const char *value)
{
	*(const char **)param->into = value;
	return DONE;
}

static int clean(struct args *args, struct pcap_pass *pass)
{
	bool dry = false, dry_too = false;
	const char *in = args_next(args), *out = NULL, *key = NULL;
	const struct param params[] = {
		{ "--key", read_key, &key },
		{ "--window", read_duration, &pass->config.window,
		  .zero = "must be above 0; omit it for 50ms" },
		{ "--fpp", read_rate, &pass->config.fpp },
		{ "--capacity", read_count, &pass->config.capacity, .checked = true },
		{ "--dry-run", NULL, &dry },
		{ "-n", NULL, &dry_too },
	};
	int status, fd = -1;

	if (!in)
		return usage("IN: required (seenctl pcap IN OUT)");
	if (args->argc && (**args->argv != '-' || !strcmp(*args->argv, "-")))
		out = args_next(args);
	status = params_read(args, params, ARRAY_SIZE(params), NULL);
	if (status)
		return status;
	pass->timeline.window = pass->config.window;
	dry |= dry_too;
	if (dry == !!out)
		return usage(dry ? "%s: OUT and --dry-run exclude each other" :
			     "OUT: required, or --dry-run", out);
	/* Set the clock before the first filter is created, because it follows the packets. */
	seen_local_clock(0);
	pass->writes = !dry;
	status = add_judges(pass, key);
	if (!status && ctl.batch && !strcmp(ctl.batch, "-") && !strcmp(in, "-"))
		return usage("standard input already holds the commands");
	if (!status && out && stream_is_out(out)) {
		fd = stream_out();
		status = fd < 0 ? USAGE : DONE;
	}
	return status ? status : run(pass, in, out, fd);
}

static int pcap(struct args *args)
{
	struct pcap_pass pass = {
		.config = {
			.type = SEEN_TYPE_CUCKOO,
			.capacity = CAPACITY_DEFAULT,
			.fpp = FPP_DEFAULT,
			.window = WINDOW_DEFAULT,
		},
	};
	int status = clean(args, &pass);

	for (size_t i = 0; i < pass.judges; i++) {
		seen_local_close(pass.judge[i].local);
		pairs_free(&pass.judge[i].passed);
	}
	return status;
}

static const struct command commands[] = {
	{ "", pcap,
	  "IN { OUT | --dry-run } [--key SPEC] [--window W] [--fpp P]\n"
	  "            [--capacity N]" },
};

const struct object pcap_object = {
	.name = "pcap",
	.summary = "leave repeated packets out of a capture",
	.command = commands,
	.commands = ARRAY_SIZE(commands),
	.help =
	"IN is pcap or pcapng, also compressed by gzip, zstd or lz4; \"-\" is standard\n"
	"input or output. OUT has the format and the content of IN, without the copies.\n"
	"If the name of OUT ends with .pcap or .cap, OUT is pcap; if the name ends with\n"
	".gz, .zst or .lz4, OUT is compressed.\n"
	"Packets with the same key SPEC, as for filters (packet unless given), are\n"
	"copies. Copies are left out for W after the packet that passed, 50ms unless\n"
	"given, by the times in the capture. A copy between W and W + W/20 may be left\n"
	"out, too. A packet passes if it has no key, if its link type is not Ethernet,\n"
	"raw IP or Linux cooked, or if the capture cut off bytes of its key (counted as\n"
	"cut). If a packet was captured both as outgoing and as incoming, the second\n"
	"record is left out (counted as both-ways). If time goes back by more than W, all\n"
	"earlier packets are forgotten (counted as restarts). An existing OUT is replaced\n"
	"at the end; a pipe or a device, such as /dev/stdout, is written to.\n"
	"A packet is taken for a copy by mistake with a probability of at most P, 1e-6\n"
	"unless given. Within W there is room for N packets, a million unless given. If\n"
	"there are more, the oldest are forgotten early, and window-kept reports the\n"
	"window that was kept.\n"
	"A dry run with --key lists each copy and its original. Without --key it counts\n"
	"the copies by several keys, and lists the first five of each.\n",
};
