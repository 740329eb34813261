/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files with keys: one line of base64. They belong to root or to the user of this process, and no
 * other user may be able to read them.
 */
#ifndef SEEND_KEYFILE_H
#define SEEND_KEYFILE_H

#include <stddef.h>
#include <stdint.h>

/* Bytes for why a file cannot be used, and for the text of a public key. */
#define KEYFILE_ERROR	512
#define KEY_TEXT	64

/**
 * keyfile_read() - read a key into locked memory
 * @path: of the file
 * @len: bytes of the key
 * @error: out: KEYFILE_ERROR bytes, a line for people
 *
 * Return: the key, to be freed by sodium_free(); NULL: @error says why.
 */
uint8_t *keyfile_read(const char *path, size_t len, char *error);

/**
 * keyfile_line() - read the first line of a file that only its owner can read
 * @path: of the file
 * @line: out
 * @room: bytes of @line
 * @error: as of keyfile_read()
 *
 * Return: 0 or -1.
 */
int keyfile_line(const char *path, char *line, size_t room, char *error);

/* keyfile_write() - write a key to a new file; 0, or -1 with @error */
int keyfile_write(const char *path, const uint8_t *key, size_t len, char *error);

/* key_text() - a public key as base64 */
const char *key_text(const uint8_t *key, size_t len, char text[KEY_TEXT]);

/* key_parse() - read base64; 0, or -1: it is not @len bytes */
int key_parse(const char *text, uint8_t *key, size_t len);

#endif
