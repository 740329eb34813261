// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "complete.h"
#include "option.h"
#include "overview.h"
#include "seenctl.h"
#include "version.h"
#include "word.h"

struct seenctl ctl = { .object = "", .command = "" };

static const struct object *const objects[] = {
	&filter_object, &key_object, &allow_object, &guard_object,
	&feed_object, &fleet_object, &top_object, &plan_object, &monitor_object,
	&save_object, &restore_object, &reset_object, &file_object, &dedup_object,
	&pcap_object,
};

static bool names_object(const char *text)
{
	return !strncmp(text, "filter \"", strlen("filter \"")) ||
	       !strncmp(text, "guard ", strlen("guard "));
}

/* The kernel and libseen call the second name of a command new-name, its usage NEW or OTHER. */
static int refused_words(const char *error)
{
	static const char theirs[] = "new-name: ";

	if (strncmp(error, theirs, strlen(theirs)))
		return refused("%s", error);
	return refused("%s: %s", strcmp(ctl.command, "rename") ? "other" : "new",
		       error + strlen(theirs));
}

int from_kernel(int err)
{
	const char *error = seen_error(ctl.client);

	if (err)
		return names_object(error) ? refused_object("%s", error) :
					     refused_words(error);
	if (seen_warning(ctl.client))
		advise("%s", seen_warning(ctl.client));
	return DONE;
}

int connect_kernel(void)
{
	if (ctl.client)
		return DONE;
	if (!seen_open(&ctl.client))
		return DONE;
	/* The message does not name the command, because the command is not the cause. */
	refused_object("%s", seen_error(ctl.client));
	seen_close(ctl.client);
	ctl.client = NULL;
	return REFUSED;
}

const struct object *object_at(size_t i)
{
	return i < ARRAY_SIZE(objects) ? objects[i] : NULL;
}

const char *object_name(size_t i, const void *in)
{
	(void)in;
	return i < ARRAY_SIZE(objects) ? objects[i]->name : NULL;
}

const char *command_name(size_t i, const void *in)
{
	const struct object *object = in;

	return i < object->commands ? object->command[i].name : NULL;
}

static void print_help(FILE *to)
{
	fputs("Usage: seenctl [OPTIONS]\n"
	      "       seenctl [OPTIONS] OBJECT { COMMAND | help [COMMAND] }\n"
	      "       seenctl help [OBJECT [COMMAND]]\n"
	      "       seenctl [OPTIONS] -b FILE\n"
	      "       seenctl -V\n"
	      "\n"
	      "Without a command seenctl prints the guards and filters on one screen, the worst\n"
	      "first, with their faults.\n"
	      "\n"
	      "Objects (objects and commands may be abbreviated):\n", to);
	for (size_t i = 0; i < ARRAY_SIZE(objects); i++)
		fprintf(to, "  %-9s %s\n", objects[i]->name,
			objects[i]->summary);
	fputs("\n"
	      "  -n, -netns NAME      act in /run/netns/NAME\n"
	      "  -j, -json            print JSON, with times in ns and sizes in bytes\n"
	      "  -p, -pretty          print JSON with line breaks\n"
	      "  -s, -stats           print counters, too\n"
	      "  -o, -oneline         print each object in one line, with \\ for line breaks\n"
	      "  -c, -color[=WHEN]    colors: always (without WHEN), never, or auto (default)\n"
	      "  -exist               adding an object that exists and is equal is no error\n"
	      "  -b, -batch FILE      run one command per line of FILE (\"-\": standard input)\n"
	      "                       up to the first error\n"
	      "  -h, -help            print this help, or after an object or command its help\n"
	      "  -V, -Version         print the versions of tool, library and loaded module\n"
	      "Long options may have two dashes, and short ones may stand together (-sj).\n"
	      "\n"
	      "Exit status: 0 success (key test: all keys are seen), 1 the kernel refused, or\n"
	      "a file cannot be read or written (key test: not all keys are seen), 2 wrong\n"
	      "usage or a bad line in a list, 3 \"seenctl file\": the file is damaged or\n"
	      "missing, or the filter is full.\n", to);
}

/* With -json, help must not be mixed into the JSON document. */
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

static int find_command(const struct object *object, const char *word, int *found)
{
	*found = word_find(word, command_name, object, false);
	if (*found == WORD_AMBIGUOUS)
		return word_ambiguous(word, command_name, object);
	return *found < 0 ? word_no_command(word, command_name, object) : DONE;
}

static bool is_help(const char *word)
{
	return !strcmp(word, "--help") || !strcmp(word, "-help") || !strcmp(word, "-h");
}

/*
 * Do the words after a command ask for help? Objects may have the name "help", so this word
 * alone does so only if no command with one word has this form.
 */
static bool asks_help(const struct command *command, const struct args *args)
{
	if (!args->argc)
		return false;
	if (args->argc == 1 && !command->one && !strcmp(*args->argv, "help"))
		return true;
	for (int i = 0; i < args->argc && strcmp(args->argv[i], "--"); i++)
		if (i == args->argc - 1 && is_help(args->argv[i]))
			return true;
	return false;
}

/* Run "help", or "help COMMAND". */
static int object_help(const struct object *object, struct args *args)
{
	const char *word = args_next(args);
	int found, status;

	ctl.object = object->name;
	if (args->argc)
		return args_end(args);
	if (!word) {
		for (size_t i = 0; i < object->commands; i++)
			synopsis(object, i, i ? "      " : "Usage:");
	} else {
		status = find_command(object, word, &found);
		if (status)
			return status;
		synopsis(object, found, "Usage:");
	}
	fprintf(help_stream(), "\n%s", object->help);
	return DONE;
}

static int command_help(const struct object *object, const struct command *command)
{
	char *name = (char *)command->name;
	struct args args = { *name ? 1 : 0, &name };

	return object_help(object, &args);
}

static int answer(const struct object *object, const struct command *command,
		  struct args *args)
{
	bool list = ctl.json && command->list;
	int status;

	if (asks_help(command, args))
		return command_help(object, command);
	ctl.command = command->name;
	if (list)
		json_open(NULL, '[');
	status = command->run(args);
	if (list)
		json_close();
	return status;
}

/* Run an object without a command. */
static int run_alone(const struct object *object, struct args *args)
{
	for (size_t i = 0; i < object->commands; i++) {
		const struct command *command = &object->command[i];

		if (!command->alone)
			continue;
		return answer(object, command, args);
	}
	return usage("command: required (seenctl %s help)", object->name);
}

static int run_object(const struct object *object, struct args *args)
{
	const struct command *command = object->command;
	int found, status;

	ctl.object = object->name;
	if (args->argc && (!strcmp(*args->argv, "help") || is_help(*args->argv))) {
		args_next(args);
		return object_help(object, args);
	}
	if (!*command->name)
		return answer(object, command, args);
	if (!args->argc)
		return run_alone(object, args);
	status = find_command(object, args_next(args), &found);
	if (status)
		return status;
	return answer(object, &command[found], args);
}

bool gathers(const struct args *args)
{
	const struct object *object;
	int found = word_find(args->argv[0], object_name, NULL, true);

	if (found < 0 || args->argc < 2)
		return false;
	object = objects[found];
	found = word_find(args->argv[1], command_name, object, false);
	return found >= 0 && object->command[found].gathers;
}

/* Return NULL after an error message. */
static const struct object *find_object(const char *word)
{
	int found = word_find(word, object_name, NULL, true);

	if (found >= 0)
		return objects[found];
	word_unknown("object", word, object_name, NULL);
	return NULL;
}

/* Run "help", "help OBJECT" or "help OBJECT COMMAND". */
static int help(struct args *args)
{
	const char *word = args_next(args);
	const struct object *object;

	if (!word) {
		print_help(help_stream());
		return DONE;
	}
	object = find_object(word);
	return object ? object_help(object, args) : USAGE;
}

static int run_words(struct args *args)
{
	const char *word = args_next(args);
	const struct object *object;

	if (!strcmp(word, "help"))
		return help(args);
	object = find_object(word);
	return object ? run_object(object, args) : USAGE;
}

/*
 * With -json each command prints a value, so print {} if it has printed no value.
 * @values: number of values before the command.
 */
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
		return usage("network namespace \"%s\" does not exist (ip netns list)", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	err = fd < 0 || setns(fd, CLONE_NEWNET) ? errno : 0;
	if (fd >= 0)
		close(fd);
	if (err == ENOENT)
		return refused("network namespace \"%s\" does not exist (ip netns list)", name);
	if (err == EPERM)
		return refused("network namespace \"%s\": %s: CAP_SYS_ADMIN is required",
			       name, strerror(err));
	return err ? refused("network namespace \"%s\": %s", name, strerror(err)) : DONE;
}

static int run(const struct request *request, struct args *args)
{
	int status = DONE;

	if (args->argc && !strcmp(*args->argv, COMPLETE))
		return complete(args);
	if (request->version)
		return version_tell();
	if (request->help)
		return help(args);
	if (request->batch && args->argc)
		return usage("-b %s and a command exclude each other",
			     request->batch);
	if (request->netns)
		status = enter_netns(request->netns);
	if (status)
		return status;
	if (request->batch)
		return run_batch(request->batch);
	return args->argc ? run_command(args) : overview();
}

/*
 * Occupy closed standard streams, so that no file or socket gets their numbers: keys would
 * be read from it, or answers written to it. /dev/null is opened in the wrong direction, so
 * that reads and writes still fail.
 */
static int hold_standard(void)
{
	static const int wrong[] = { O_WRONLY, O_RDONLY, O_RDONLY };

	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", wrong[fd]) != fd)
			return refused("/dev/null: %s", strerror(errno));
	return DONE;
}

int main(int argc, char **argv)
{
	struct args args = { argc - 1, argv + 1 };
	struct request request = {};
	int status;

	if (!argc)
		args.argc = 0;
	status = hold_standard();
	if (!status)
		status = options_read(&args, &request);
	if (!status)
		status = run(&request, &args);

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
