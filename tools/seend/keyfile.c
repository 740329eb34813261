// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "keyfile.h"

#define LINE_ROOM	256

const char *key_text(const uint8_t *key, size_t len, char text[KEY_TEXT])
{
	return sodium_bin2base64(text, KEY_TEXT, key, len, sodium_base64_VARIANT_ORIGINAL);
}

int key_parse(const char *text, uint8_t *key, size_t len)
{
	size_t got;

	return sodium_base642bin(key, len, text, strlen(text), NULL, &got, NULL,
				 sodium_base64_VARIANT_ORIGINAL) || got != len ? -1 : 0;
}

static int keyfile_fail(char *error, const char *path, const char *why)
{
	snprintf(error, KEYFILE_ERROR, "%s: %s", path, why);
	return -1;
}

/* Read the line of an open file. Its rights are read from the descriptor, not by its name. */
static int keyfile_line(int fd, const char *path, char *line, char *error)
{
	struct stat file;
	ssize_t len;

	if (fstat(fd, &file))
		return keyfile_fail(error, path, strerror(errno));
	if (file.st_mode & 077)
		return keyfile_fail(error, path, "other users can read this key; chmod 600 it");
	len = read(fd, line, LINE_ROOM - 1);
	if (len < 0)
		return keyfile_fail(error, path, strerror(errno));
	line[len] = '\0';
	line[strcspn(line, "\r\n")] = '\0';
	return 0;
}

uint8_t *keyfile_read(const char *path, size_t len, char *error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), failed;
	char line[LINE_ROOM];
	uint8_t *key;

	if (fd < 0) {
		keyfile_fail(error, path, strerror(errno));
		return NULL;
	}
	failed = keyfile_line(fd, path, line, error);
	close(fd);
	/* sodium_malloc() locks the memory, so that it is never written to swap. */
	key = failed ? NULL : sodium_malloc(len);
	if (!failed && !key)
		keyfile_fail(error, path, "no memory that can be locked");
	if (key && key_parse(line, key, len)) {
		keyfile_fail(error, path, "this is not a key of the expected kind");
		sodium_free(key);
		key = NULL;
	}
	sodium_memzero(line, sizeof(line));
	return key;
}

int keyfile_write(const char *path, const uint8_t *key, size_t len, char *error)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600), failed = 0;
	char line[LINE_ROOM];
	size_t used;

	if (fd < 0)
		return keyfile_fail(error, path, strerror(errno));
	sodium_bin2base64(line, sizeof(line) - 1, key, len, sodium_base64_VARIANT_ORIGINAL);
	used = strlen(line);
	line[used++] = '\n';
	if (write(fd, line, used) != (ssize_t)used || fsync(fd))
		failed = keyfile_fail(error, path, strerror(errno));
	if (close(fd) && !failed)
		failed = keyfile_fail(error, path, strerror(errno));
	sodium_memzero(line, sizeof(line));
	if (failed)
		unlink(path);
	return failed;
}
