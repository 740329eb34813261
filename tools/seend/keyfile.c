// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "group.h"
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
	snprintf(error, KEYFILE_ERROR, "%.400s: %s", path, why);
	return -1;
}

/* The file is needed; @exists: but it has something else. */
static int keyfile_need(char *error, const char *path, size_t len, bool exists)
{
	bool seal = len == SEAL_KEY_LEN;

	snprintf(error, KEYFILE_ERROR, exists ?
		 "%.200s: this is no %s; \"seend %s FILE\" makes one" :
		 "%.200s: the file with the %s does not exist; \"seend %s %.200s\" makes one",
		 path, seal ? "seal of a group" : "secret key of a host", seal ? "seal" : "key",
		 path);
	return -1;
}

/* Rights are read from the descriptor, not by its name. */
static int keyfile_rights(int fd, const char *path, char *error)
{
	struct stat file;

	if (fstat(fd, &file))
		return keyfile_fail(error, path, strerror(errno));
	if (!S_ISREG(file.st_mode))
		return keyfile_fail(error, path, "this is not a file");
	if (file.st_uid && file.st_uid != geteuid())
		return keyfile_fail(error, path, "it belongs to another user; chown root it");
	if (file.st_mode & 077)
		return keyfile_fail(error, path, "other users can read this key; chmod 600 it");
	return 0;
}

int keyfile_line(const char *path, char *line, size_t room, char *error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t len = -1;

	if (fd < 0)
		return keyfile_fail(error, path, strerror(errno));
	if (!keyfile_rights(fd, path, error)) {
		len = read(fd, line, room - 1);
		if (len < 0)
			keyfile_fail(error, path, strerror(errno));
	}
	close(fd);
	if (len < 0)
		return -1;
	line[len] = '\0';
	line[strcspn(line, "\r\n")] = '\0';
	return 0;
}

uint8_t *keyfile_read(const char *path, size_t len, char *error)
{
	char line[LINE_ROOM];
	uint8_t *key;

	if (access(path, F_OK) && errno == ENOENT) {
		keyfile_need(error, path, len, false);
		return NULL;
	}
	if (keyfile_line(path, line, sizeof(line), error))
		return NULL;
	/* sodium_malloc() locks the memory, so that it is never written to swap. */
	key = sodium_malloc(len);
	if (!key)
		keyfile_fail(error, path, "no memory that can be locked");
	if (key && key_parse(line, key, len)) {
		keyfile_need(error, path, len, true);
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
		return keyfile_fail(error, path, errno == EEXIST ?
				    "it exists; delete it first, or name another file" :
				    strerror(errno));
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
