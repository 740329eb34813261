/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keys as text: what users write, and the canonical bytes that the kernel
 * builds from packets (kmod/key.h). Numbers are in network order. The fields come
 * in their order, but the payload is last: its length, 32 bits, and its bytes.
 *
 * Functions that can refuse their input return -1, and then @error has one line for
 * people. Any number of threads may call any of these functions at the same time.
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
 * Room in this library's structures. It is the library's own, and more than the kernel has
 * use for today: a later kernel changes no structure.
 */
#define SEEN_KEY_FIELDS_ROOM	24
#define SEEN_VXLAN_PORTS_ROOM	8

/* Room for the longest text that the functions below write, NUL included. */
#define SEEN_KEY_ERROR_LEN	256
#define SEEN_KEY_SPEC_LEN	1024
/* The same for a key of so many bytes. */
#define SEEN_KEY_TEXT_LEN(bytes)	(2 * (bytes) + 256)

/**
 * struct seen_key_field - a field of a key
 * @id: enum seen_field
 * @param: src, dst: prefix bits of IPv4, 0: the whole address, SEEN_PREFIX_ANY: a prefix
 *         of any length, with that length behind it; payload: bytes at most, 0: all of it
 * @param6: src, dst: prefix bits of IPv6, 0: the whole address
 * @reserved: 0
 */
struct seen_key_field {
	uint32_t id;
	uint32_t param;
	uint32_t param6;
	uint32_t reserved;
};

/**
 * struct seen_key_spec - what a key consists of, in order
 * @profile: enum seen_key_profile; NONE: @field was given as a list
 * @inner: they are of the innermost packet in tunnels
 * @vxlan: then UDP ports of VXLAN, ascending; 0 ends them; none: 4789 and 8472
 * @count: fields; for a profile too
 * @field: they
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
 * seen_key_spec_parse() - from "flow" or "src/24,dport" to fields
 * @spec: to fill
 * @text: the name of a profile, to which "payload:N" may be added, or names of
 *        fields, with commas between them; among them, anywhere, "inner", or
 *        "inner:PORT:PORT" with the UDP ports of VXLAN
 * @error: out: SEEN_KEY_ERROR_LEN bytes
 *
 * Context: any thread.
 * Return: 0, or -1: @error says why.
 */
int seen_key_spec_parse(struct seen_key_spec *spec, const char *text,
			char *error);

/**
 * seen_key_spec_format() - the text that seen_key_spec_parse() would take
 * @spec: the fields; a field that this library does not know is written as its number
 * @text: out: SEEN_KEY_SPEC_LEN bytes
 *
 * Context: any thread.
 */
void seen_key_spec_format(const struct seen_key_spec *spec, char *text);

/**
 * seen_key_spec_longest() - how long the keys of a map may be
 * @spec: the fields
 *
 * Context: any thread.
 * Return: bytes of the longest key; 0: a map holds no such keys.
 */
uint32_t seen_key_spec_longest(const struct seen_key_spec *spec);

/**
 * seen_key_spec_prefix() - where a key has its prefix of any length
 * @spec: the fields
 *
 * Context: any thread.
 * Return: the offset of the prefix in the key, in bytes, plus 1; 0: there is none.
 */
uint32_t seen_key_spec_prefix(const struct seen_key_spec *spec);

/**
 * seen_key_spec_head() - where a key has its payload
 * @spec: the fields
 *
 * Context: any thread.
 * Return: bytes of a key before the payload; 0: it has no payload.
 */
uint32_t seen_key_spec_head(const struct seen_key_spec *spec);

/**
 * seen_key_room() - how much room the key of a text needs
 * @text: as for seen_key_parse()
 *
 * Context: any thread.
 * Return: bytes that the key has at most.
 */
size_t seen_key_room(const char *text);

/**
 * seen_key_parse() - from text to a canonical key
 * @spec: the filter's
 * @text: the fields in order, with commas or white space between them, and no comma
 *        where there is one field; for bytes: any text, or 0x and hex digits; for
 *        frame and packet: 0x and the canonical key in hex digits
 * @key: out: seen_key_room() bytes
 * @error: out: SEEN_KEY_ERROR_LEN bytes
 *
 * Context: any thread.
 * Return: bytes of the key, or -1: @error says why.
 */
int seen_key_parse(const struct seen_key_spec *spec, const char *text,
		   uint8_t *key, char *error);

/**
 * seen_key_format() - the text that seen_key_parse() would take
 * @spec: the filter's
 * @key: a canonical key
 * @len: its bytes
 * @text: to fill
 * @size: bytes of @text; SEEN_KEY_TEXT_LEN(@len) are enough
 *
 * A key that does not fit @spec, and one of bytes, comes as 0x and hex digits.
 *
 * Context: any thread.
 */
void seen_key_format(const struct seen_key_spec *spec, const uint8_t *key,
		     size_t len, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
