// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../lib/replace.h"
#include "secret_file.h"

#define SECRET_LINE	(SEEN_KEY_SPEC_LEN + 64)

static int secret_failed(const char *path, int err)
{
	return refused("%s: %s", path, err == -EEXIST ?
		       "exists; delete it first, or name another file" : strerror(-err));
}

static int secret_print(int fd, const char *key, const uint8_t *secret)
{
	int len = dprintf(fd, "# Hosts of a fleet share this secret. Only root may read it.\n"
			  "key %s\nseed ", key);

	for (size_t i = 0; len >= 0 && i < SEEN_SECRET_LEN; i++)
		len = dprintf(fd, "%02x", secret[i]);
	if (len >= 0)
		len = dprintf(fd, "\n");
	return len < 0 ? -errno : 0;
}

int secret_write(const char *path, const struct seen_key_spec *key, const uint8_t *secret)
{
	struct seen_replace file;
	char text[SEEN_KEY_SPEC_LEN];
	int err = seen_replace_begin(&file, path, SEEN_REPLACE_SECRET | SEEN_REPLACE_NEW);

	if (err)
		return secret_failed(path, err);
	seen_key_spec_format(key, text);
	err = seen_replace_end(&file, secret_print(file.fd, text, secret));
	return err ? secret_failed(path, err) : DONE;
}

/* Read a line "WORD VALUE". @seen: out: it was there. */
static int secret_line(char *line, struct seen_key_spec *key, uint8_t *secret, bool seen[2])
{
	const struct param seed = { .word = "seed", .into = secret };
	char error[SEEN_KEY_ERROR_LEN];

	line[strcspn(line, "\r\n")] = '\0';
	if (!*line || *line == '#')
		return DONE;
	if (!strncmp(line, "seed ", 5) && !seen[1]) {
		seen[1] = true;
		return read_secret(&seed, line + 5);
	}
	if (strncmp(line, "key ", 4) || seen[0])
		return usage("expected a line \"key SPEC\" and a line \"seed HEX\"");
	seen[0] = true;
	return seen_key_spec_parse(key, line + 4, error) ? usage("key: %s", error) : DONE;
}

static int secret_lines(FILE *file, struct seen_key_spec *key, uint8_t *secret)
{
	char line[SECRET_LINE];
	bool seen[2] = { false };
	int status = DONE;

	while (!status && fgets(line, sizeof(line), file))
		status = secret_line(line, key, secret, seen);
	explicit_bzero(line, sizeof(line));
	if (!status && ferror(file))
		return refused("%s", strerror(errno));
	if (!status && !(seen[0] && seen[1]))
		return usage("the file must have a line \"key SPEC\" and a line \"seed HEX\"");
	return status;
}

int secret_read(const char *path, struct seen_key_spec *key, uint8_t *secret)
{
	FILE *file = fopen(path, "re");
	/* The secret passes only through the buffer of this function. */
	char buffer[BUFSIZ];
	struct stat stat;
	int status;

	if (!file)
		return refused("%s: %s", path, strerror(errno));
	setvbuf(file, buffer, _IOFBF, sizeof(buffer));
	if (fstat(fileno(file), &stat))
		status = refused("%s: %s", path, strerror(errno));
	else if (stat.st_mode & 077)
		status = refused("%s: other users can read this secret; chmod 600 it", path);
	else
		status = secret_lines(file, key, secret);
	fclose(file);
	explicit_bzero(buffer, sizeof(buffer));
	return status;
}
