// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "seenctl.h"

struct seenctl ctl = { .object = "", .command = "" };

static const struct object *const objects[] = {
	&filter_object, &key_object, &allow_object, &guard_object,
	&top_object, &plan_object, &monitor_object, &save_object,
	&restore_object, &reset_object, &file_object, &dedup_object,
	&pcap_object,
};

static void where(void)
{
	fflush(stdout);
	fputs("seenctl: ", stderr);
	if (ctl.batch)
		fprintf(stderr, "%s:%u: ", ctl.batch, ctl.line);
	if (*ctl.object)
		fprintf(stderr, "%s%s%s: ", ctl.object,
			*ctl.command ? " " : "", ctl.command);
}

int refused(const char *format, ...)
{
	va_list values;

	where();
	va_start(values, format);
	vfprintf(stderr, format, values);
	va_end(values);
	fputc('\n', stderr);
	return REFUSED;
}

int usage(const char *format, ...)
{
	va_list values;

	where();
	va_start(values, format);
	vfprintf(stderr, format, values);
	va_end(values);
	fputc('\n', stderr);
	return USAGE;
}

void remark(const char *format, ...)
{
	va_list values;

	if (ctl.json)
		return;
	fputs("note: ", stdout);
	va_start(values, format);
	vprintf(format, values);
	va_end(values);
	putchar('\n');
}

int from_kernel(int err)
{
	if (err)
		return refused("%s", seen_error(ctl.client));
	if (seen_warning(ctl.client))
		remark("%s", seen_warning(ctl.client));
	return DONE;
}

int connect_kernel(void)
{
	const char *object = ctl.object;

	if (ctl.client)
		return DONE;
	if (!seen_open(&ctl.client))
		return DONE;
	/* No command is at fault. */
	ctl.object = "";
	refused("%s", seen_error(ctl.client));
	ctl.object = object;
	seen_close(ctl.client);
	ctl.client = NULL;
	return REFUSED;
}

/*
 * Abbreviations: the entry that @word is the name of, else the only one whose
 * name it begins; among objects, which have no @in, the first. @name tells the
 * name of entry i, NULL after the last. Returns -1 if there is none, -2 if there
 * are several.
 */
static int find(const char *word, const char *(*name)(size_t i, const void *in),
		const void *in)
{
	const char *candidate;
	int found = -1;

	for (size_t i = 0; (candidate = name(i, in)); i++) {
		if (strncmp(candidate, word, strlen(word)))
			continue;
		if (!strcmp(candidate, word))
			return i;
		if (found == -1)
			found = i;
		else if (in)
			found = -2;
	}
	return *word ? found : -1;
}

static const char *object_name(size_t i, const void *in)
{
	(void)in;
	return i < ARRAY_SIZE(objects) ? objects[i]->name : NULL;
}

static const char *command_name(size_t i, const void *in)
{
	const struct object *object = in;

	return i < object->commands ? object->command[i].name : NULL;
}

static void print_help(FILE *to)
{
	fputs("Usage: seenctl [-n NETNS] [-j] [-p] [-s] OBJECT { COMMAND | help [COMMAND] }\n"
	      "       seenctl [-n NETNS] [-j] [-p] [-s] -b FILE\n"
	      "\n"
	      "Objects (these and commands may be abbreviated):\n", to);
	for (size_t i = 0; i < ARRAY_SIZE(objects); i++)
		fprintf(to, "  %-9s %s\n", objects[i]->name,
			objects[i]->summary);
	fputs("\n"
	      "  -n, --netns NAME   act in /run/netns/NAME\n"
	      "  -j, --json         answer in JSON: nanoseconds and bytes\n"
	      "  -p, --pretty       JSON with line breaks\n"
	      "  -s, --statistics   tell counters too\n"
	      "  -exist             what is there, and as it shall be, is no error\n"
	      "  -b, --batch FILE   a command a line, \"-\": from standard input;\n"
	      "                     the first error ends it\n"
	      "\n"
	      "Exit status: 0 done (key test: all seen), 1 the kernel refused\n"
	      "(key test: not all seen), 2 wrong usage.\n", to);
}

/* Help is text for people, which has no place in a JSON document. */
static FILE *help_stream(void)
{
	return ctl.json ? stderr : stdout;
}

static void synopsis(const struct object *object, size_t i, const char *before)
{
	const struct command *command = &object->command[i];

	fprintf(help_stream(), "%s seenctl %s%s%s %s\n", before, object->name,
		*command->name ? " " : "", command->name, command->synopsis);
}

static int unknown(const char *word, int found, const char *kind)
{
	if (found == -2)
		return usage("%s: more than one %s begins so", word, kind);
	return usage("%s: no such %s (seenctl %s%shelp)", word, kind,
		     ctl.object, *ctl.object ? " " : "");
}

/* "help", or "help COMMAND". */
static int object_help(const struct object *object, struct args *args)
{
	const char *word = args_next(args);
	int found;

	if (args->argc)
		return args_end(args);
	if (!word) {
		for (size_t i = 0; i < object->commands; i++)
			synopsis(object, i, i ? "      " : "Usage:");
	} else {
		found = find(word, command_name, object);
		if (found < 0)
			return unknown(word, found, "command");
		synopsis(object, found, "Usage:");
	}
	fprintf(help_stream(), "\n%s", object->help);
	return DONE;
}

static int answer(const struct command *command, struct args *args)
{
	bool list = ctl.json && command->list;
	int status;

	if (list)
		json_open(NULL, '[');
	status = command->run(args);
	if (list)
		json_close();
	return status;
}

static int run_object(const struct object *object, struct args *args)
{
	const struct command *command = object->command;
	const char *word;
	int found;

	ctl.object = object->name;
	if (args->argc && !strcmp(*args->argv, "help")) {
		args_next(args);
		return object_help(object, args);
	}
	if (!*command->name)
		return answer(command, args);

	word = args_next(args);
	if (!word)
		return usage("a command is missing (seenctl %s help)",
			     object->name);
	found = find(word, command_name, object);
	if (found < 0)
		return unknown(word, found, "command");
	ctl.command = command[found].name;
	return answer(&command[found], args);
}

bool gathers(const struct args *args)
{
	const struct object *object;
	int found = find(args->argv[0], object_name, NULL);

	if (found < 0 || args->argc < 2)
		return false;
	object = objects[found];
	found = find(args->argv[1], command_name, object);
	return found >= 0 && object->command[found].gathers;
}

static int run_words(struct args *args)
{
	const char *word = args_next(args);
	int found;

	if (!strcmp(word, "help")) {
		print_help(help_stream());
		return DONE;
	}
	found = find(word, object_name, NULL);
	if (found < 0)
		return unknown(word, found, "object");
	return run_object(objects[found], args);
}

/* In JSON all is answered, if only with nothing: @values were told before. */
static void answer_all(unsigned long values)
{
	if (!ctl.json || json_values() != values)
		return;
	json_open(NULL, '{');
	json_close();
}

int run_command(struct args *args)
{
	unsigned long values = json_values();
	int status = run_words(args);

	answer_all(values);
	ctl.object = "";
	ctl.command = "";
	return status;
}

int enter_netns(const char *name)
{
	char path[256];
	int fd, err;

	if (strchr(name, '/') || (size_t)snprintf(path, sizeof(path),
						  "/run/netns/%s", name) >=
				 sizeof(path))
		return usage("netns %s: no such network namespace", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	err = fd < 0 || setns(fd, CLONE_NEWNET) ? errno : 0;
	if (fd >= 0)
		close(fd);
	if (err == ENOENT)
		return refused("netns %s: no such network namespace", name);
	return err ? refused("netns %s: %s", name, strerror(err)) : DONE;
}

static const struct option options[] = {
	{ "netns", required_argument, NULL, 'n' },
	{ "json", no_argument, NULL, 'j' },
	{ "pretty", no_argument, NULL, 'p' },
	{ "statistics", no_argument, NULL, 's' },
	{ "batch", required_argument, NULL, 'b' },
	{ "help", no_argument, NULL, 'h' },
	{}
};

/* What the options ask for, beside what is in ctl. */
struct request {
	const char *netns;
	const char *batch;
	bool help;
	struct args args;
};

/* What is wrong may be one letter of many in @word. */
static int wrong_option(const char *word, const char *what)
{
	if (!strncmp(word, "--", 2))
		return usage("%s%s", word, what);
	return usage("-%c%s", optopt, what);
}

static int read_option(int option, const char *word, struct request *request)
{
	switch (option) {
	case 'n':
		request->netns = optarg;
		return DONE;
	case 'p':
		json_pretty();
		return DONE;
	case 'j':
		ctl.json = true;
		return DONE;
	case 's':
		ctl.stats = true;
		return DONE;
	case 'b':
		request->batch = optarg;
		return DONE;
	case 'h':
		request->help = true;
		return DONE;
	case ':':
		return wrong_option(word, " needs a value");
	default:
		return wrong_option(word, ": no such option (seenctl help)");
	}
}

/* A word of ipset's, which getopt would take for five letters. */
static void read_exist(int argc, char **argv)
{
	while (optind < argc && !strcmp(argv[optind], "-exist")) {
		ctl.exist = true;
		optind++;
	}
}

/* All of them, also after a wrong one: -j may follow. */
static int read_options(int argc, char **argv, struct request *request)
{
	int option, status = DONE;
	const char *word;

	do {
		read_exist(argc, argv);
		word = argv[optind];
		option = getopt_long(argc, argv, "+:n:jpsb:h", options, NULL);
		if (option != -1 && read_option(option, word, request))
			status = USAGE;
	} while (option != -1);
	return status;
}

static int run(struct request *request)
{
	int status = DONE;

	if (request->help || (!request->batch && !request->args.argc)) {
		print_help(request->help ? help_stream() : stderr);
		return request->help ? DONE : USAGE;
	}
	if (request->batch && request->args.argc)
		return usage("-b %s and a command: one or the other",
			     request->batch);
	if (request->netns)
		status = enter_netns(request->netns);
	if (status)
		return status;
	return request->batch ? run_batch(request->batch) :
				run_command(&request->args);
}

int main(int argc, char **argv)
{
	struct request request = {};
	int status = read_options(argc, argv, &request);

	request.args = (struct args) { argc - optind, argv + optind };
	if (!status)
		status = run(&request);

	answer_all(0);
	json_end();
	seen_close(ctl.client);
	if (fflush(stdout) || ferror(stdout)) {
		fprintf(stderr, "seenctl: standard output: %s\n",
			strerror(errno));
		return REFUSED;
	}
	return status == NOT_SEEN ? REFUSED : status == FAILED ? 3 : status;
}
