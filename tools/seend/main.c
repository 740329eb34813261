// SPDX-License-Identifier: GPL-2.0
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "daemon.h"
#include "group.h"
#include "keyfile.h"
#include "web.h"

#define CONFIG	"/etc/seen/fleet.conf"

static const char usage[] =
	"usage: seend [run|check] [CONFIG]    take part in groups, or only read the configuration\n"
	"       seend key FILE                make a host's secret key, print its public key\n"
	"       seend seal FILE               make a group's seal\n"
	"       seend publish GROUP FOLDER [CONFIG]\n"
	"                                     write the group's filter to FOLDER/GROUP.seen\n"
	"       seend subscribe GROUP URL [SECONDS [CONFIG]]\n"
	"                                     load such a file, again after SECONDS unless 0\n"
	"       seend help | -h               print this text\n"
	"       seend -V                      print the version\n"
	"CONFIG is /etc/seen/fleet.conf unless it is given; see seend(8).\n";

static int fail(const char *error)
{
	fprintf(stderr, "seend: %s\n", error);
	return 1;
}

/* Print the public key of a secret key; an existing file is kept. */
static int make_key(char **args)
{
	const char *path = args[0];
	uint8_t public[PUBLIC_KEY_LEN], *secret;
	char error[KEYFILE_ERROR], text[KEY_TEXT];

	if (access(path, F_OK)) {
		secret = sodium_malloc(SECRET_KEY_LEN);
		if (!secret)
			return fail("no memory that can be locked");
		crypto_sign_keypair(public, secret);
		if (keyfile_write(path, secret, SECRET_KEY_LEN, error)) {
			sodium_free(secret);
			return fail(error);
		}
	} else {
		secret = keyfile_read(path, SECRET_KEY_LEN, error);
		if (!secret)
			return fail(error);
		crypto_sign_ed25519_sk_to_pk(public, secret);
	}
	sodium_free(secret);
	puts(key_text(public, PUBLIC_KEY_LEN, text));
	return 0;
}

static int make_seal(char **args)
{
	uint8_t *seal = sodium_malloc(SEAL_KEY_LEN);
	char error[KEYFILE_ERROR];
	int failed;

	if (!seal)
		return fail("no memory that can be locked");
	randombytes_buf(seal, SEAL_KEY_LEN);
	failed = keyfile_write(args[0], seal, SEAL_KEY_LEN, error);
	sodium_free(seal);
	return failed ? fail(error) : 0;
}

static int __attribute__((__format__(__printf__, 1, 2)))
wrong(const char *text, ...)
{
	va_list args;

	fputs("seend: ", stderr);
	va_start(args, text);
	vfprintf(stderr, text, args);
	va_end(args);
	fputc('\n', stderr);
	return 2;
}

/* Commands get their arguments; those that were not given are NULL. */

static int run(char **args)
{
	return daemon_run(args[0] ? args[0] : CONFIG);
}

static int check(char **args)
{
	return daemon_check(args[0] ? args[0] : CONFIG);
}

static int publish(char **args)
{
	return web_publish(args[2] ? args[2] : CONFIG, args[0], args[1]);
}

static int subscribe(char **args)
{
	unsigned int seconds = 0;
	char end;

	if (args[2] && (strspn(args[2], "0123456789") != strlen(args[2]) ||
			strlen(args[2]) > 9 || sscanf(args[2], "%u%c", &seconds, &end) != 1))
		return wrong("SECONDS: %s: must be a whole number", args[2]);
	return web_subscribe(args[3] ? args[3] : CONFIG, args[0], args[1], seconds);
}

static int help(char **args)
{
	(void)args;
	fputs(usage, stdout);
	return 0;
}

static int version(char **args)
{
	(void)args;
	printf("seend %s\n", SEEN_VERSION);
	return 0;
}

#define ARGS_MAX	4

/* struct command - a command; @arg: names of its arguments; @needed: number of required ones */
static const struct command {
	const char *name;
	int (*run)(char **args);
	unsigned int needed;
	const char *arg[ARGS_MAX];
} commands[] = {
	{ "run", run, 0, { "CONFIG" } },
	{ "check", check, 0, { "CONFIG" } },
	{ "key", make_key, 1, { "FILE" } },
	{ "seal", make_seal, 1, { "FILE" } },
	{ "publish", publish, 2, { "GROUP", "FOLDER", "CONFIG" } },
	{ "subscribe", subscribe, 2, { "GROUP", "URL", "SECONDS", "CONFIG" } },
	{ "help", help }, { "-h", help }, { "--help", help },
	{ "-V", version }, { "--version", version },
};

static const struct command *find(const char *name)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	return NULL;
}

int main(int argc, char **argv)
{
	const struct command *command = find(argc > 1 ? argv[1] : "run");
	char *args[ARGS_MAX] = { NULL };

	if (!command) {
		wrong("unknown command \"%s\"", argv[1]);
		fputs(usage, stderr);
		return 2;
	}
	for (int i = 2; i < argc; i++) {
		if (i - 2 == ARGS_MAX || !command->arg[i - 2])
			return wrong("%s: %s: one argument too many", command->name, argv[i]);
		args[i - 2] = argv[i];
	}
	for (unsigned int i = 0; i < command->needed; i++)
		if (!args[i])
			return wrong("%s: %s: required", command->name, command->arg[i]);
	if (sodium_init() < 0)
		return fail("libsodium cannot be used");
	return command->run(args);
}
