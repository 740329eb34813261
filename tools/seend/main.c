// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <sodium.h>
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
	"CONFIG is /etc/seen/fleet.conf unless it is given; see seend(8).\n";

static int fail(const char *error)
{
	fprintf(stderr, "seend: %s\n", error);
	return 1;
}

/* Print the public key of a secret key; an existing file is kept. */
static int make_key(const char *path)
{
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

static int make_seal(const char *path)
{
	uint8_t *seal = sodium_malloc(SEAL_KEY_LEN);
	char error[KEYFILE_ERROR];
	int failed;

	if (!seal)
		return fail("no memory that can be locked");
	randombytes_buf(seal, SEAL_KEY_LEN);
	failed = keyfile_write(path, seal, SEAL_KEY_LEN, error);
	sodium_free(seal);
	return failed ? fail(error) : 0;
}

static int subscribe(int argc, char **argv)
{
	unsigned int seconds = 0;
	char end;

	if (argc > 4 && (sscanf(argv[4], "%u%c", &seconds, &end) != 1 || *argv[4] == '-'))
		return fail("SECONDS must be a whole number");
	return web_subscribe(argc > 5 ? argv[5] : CONFIG, argv[2], argv[3], seconds);
}

int main(int argc, char **argv)
{
	const char *command = argc > 1 ? argv[1] : "run";
	const char *path = argc > 2 ? argv[2] : NULL;

	if (sodium_init() < 0)
		return fail("libsodium cannot be used");
	if (argc <= 3 && !strcmp(command, "run"))
		return daemon_run(path ? path : CONFIG);
	if (argc <= 3 && !strcmp(command, "check"))
		return daemon_check(path ? path : CONFIG);
	if (argc == 3 && !strcmp(command, "key"))
		return make_key(path);
	if (argc == 3 && !strcmp(command, "seal"))
		return make_seal(path);
	if ((argc == 4 || argc == 5) && !strcmp(command, "publish"))
		return web_publish(argc > 4 ? argv[4] : CONFIG, argv[2], argv[3]);
	if (argc >= 4 && argc <= 6 && !strcmp(command, "subscribe"))
		return subscribe(argc, argv);
	fputs(usage, stderr);
	return 2;
}
