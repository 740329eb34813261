/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keys as text: conversion between the text that users write and the canonical bytes that the
 * kernel builds from packets (kmod/key.h). A canonical key has the fields in the order of its
 * specification, with numbers in network order. Exception: a payload is always the last field. It
 * is stored as its length in 32 bits, then its bytes.
 *
 * Functions that can refuse their input return -1 and write one line for people to
 * @error. Any number of threads may call any of these functions at the same time.
 */
#ifndef LIBSEEN_KEY_H
#define LIBSEEN_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/seen.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Elements of arrays in this library's structures. The sizes are the library's own, and larger
 * than today's kernel needs, so that a later kernel changes no structure.
 */
#define SEEN_KEY_FIELDS_ROOM	24
#define SEEN_VXLAN_PORTS_ROOM	8

/* Bytes for the longest text that the functions below write, with its NUL. */
#define SEEN_KEY_ERROR_LEN	256
#define SEEN_KEY_SPEC_LEN	1024
/* The same for the text of a key of @bytes bytes. */
#define SEEN_KEY_TEXT_LEN(bytes)	(2 * (bytes) + 256)

/**
 * struct seen_key_field - a field of a key
 * @id: enum seen_field
 * @param: src, dst: prefix length for IPv4, 0: the whole address, SEEN_PREFIX_ANY: a prefix
 *         of any length, followed by a byte with that length; payload: the key has at most this
 *         many bytes of it, 0: all
 * @param6: src, dst: prefix length for IPv6, 0: the whole address
 * @reserved: 0
 */
struct seen_key_field {
	uint32_t id;
	uint32_t param;
	uint32_t param6;
	uint32_t reserved;
};

/**
 * struct seen_key_spec - the fields of a key, in order
 * @profile: enum seen_key_profile; 0: @field was given as a list
 * @inner: the fields are those of the innermost packet in tunnels
 * @vxlan: with @inner: UDP ports of VXLAN, ascending, ended by 0; empty: 4789 and 8472
 * @count: elements of @field, also for a profile
 * @field: the fields
 * @reserved: 0
 */
struct seen_key_spec {
	uint32_t profile;
	bool inner;
	uint16_t vxlan[SEEN_VXLAN_PORTS_ROOM];
	uint32_t count;
	struct seen_key_field field[SEEN_KEY_FIELDS_ROOM];
	uint32_t reserved[4];
};

/**
 * seen_key_spec_parse() - read the fields of a key from text, such as "src/24,dport"
 * @spec: to fill
 * @text: the name of a profile, optionally with "payload:N"; or the names of fields,
 *        separated by commas. At any place "inner" may be added, or "inner:PORT:PORT" with
 *        the UDP ports of VXLAN
 * @error: out: SEEN_KEY_ERROR_LEN bytes
 *
 * Context: any thread.
 * Return: 0, or -1: @error says why.
 */
int seen_key_spec_parse(struct seen_key_spec *spec, const char *text,
			char *error);

/**
 * seen_key_spec_format() - write the fields of a key as seen_key_spec_parse() reads them
 * @spec: the fields; a field that this library does not know is written as its number
 * @text: out: SEEN_KEY_SPEC_LEN bytes
 *
 * Context: any thread.
 */
void seen_key_spec_format(const struct seen_key_spec *spec, char *text);

/**
 * seen_key_spec_longest() - length of the longest key that a map of such keys stores
 * @spec: the fields
 *
 * Context: any thread.
 * Return: bytes; 0: a map cannot store such keys.
 */
uint32_t seen_key_spec_longest(const struct seen_key_spec *spec);

/**
 * seen_key_spec_prefix() - offset of the prefix of any length in a key
 * @spec: the fields
 *
 * Context: any thread.
 * Return: the offset of the prefix in the key, in bytes, plus 1; 0: the key has no such prefix.
 */
uint32_t seen_key_spec_prefix(const struct seen_key_spec *spec);

/**
 * seen_key_spec_head() - offset of the payload in a key
 * @spec: the fields
 *
 * Context: any thread.
 * Return: bytes of a key before the payload; 0: the key has no payload.
 */
uint32_t seen_key_spec_head(const struct seen_key_spec *spec);

/**
 * seen_key_room() - size of the buffer that seen_key_parse() needs for a text
 * @text: as for seen_key_parse()
 *
 * Context: any thread.
 * Return: most bytes that the key may have.
 */
size_t seen_key_room(const char *text);

/**
 * seen_key_parse() - read a canonical key from text
 * @spec: the key's fields
 * @text: the fields in order, separated by commas or white space; a key of one field has no
 *        comma. For bytes: any text, or 0x and hex digits. For frame and packet: 0x and the
 *        canonical key in hex digits
 * @key: out: seen_key_room() bytes
 * @error: out: SEEN_KEY_ERROR_LEN bytes
 *
 * Context: any thread.
 * Return: bytes of the key, or -1: @error says why.
 */
int seen_key_parse(const struct seen_key_spec *spec, const char *text,
		   uint8_t *key, char *error);

/**
 * seen_key_format() - write a key as seen_key_parse() reads it
 * @spec: the key's fields
 * @key: a canonical key
 * @len: bytes of @key
 * @text: out
 * @size: bytes of @text; SEEN_KEY_TEXT_LEN(@len) are enough
 *
 * A key of bytes, and a key that does not fit @spec, is written as 0x and hex digits.
 *
 * Context: any thread.
 */
void seen_key_format(const struct seen_key_spec *spec, const uint8_t *key,
		     size_t len, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
