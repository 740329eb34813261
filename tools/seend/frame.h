/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keyframes: what the filters of a group hold at a place of the chain. The value "frame" is a
 * message of type FRAME; its content, compressed, is in the values "frame:ID:0" and so on.
 *
 * The body of a FRAME: struct frame in its order; the text begins with its length. The content is
 * parts; each has the number of a publisher (4 bytes, only in mode "each"), a varint length, and a
 * snapshot. In groups with deletes, which must know the publishers of each key, the parts are as
 * sections of an OUT message.
 */
#ifndef SEEND_FRAME_H
#define SEEND_FRAME_H

#include "member.h"

#define FRAME_CHUNK	0x40000
#define FRAME_HASH	32
/* Names of values. */
#define FRAME_NAME	48

/**
 * struct frame - a keyframe
 * @node: the place in the chain; everything up to it is in the content
 * @leader: sender of the node's message
 * @roster: as of OUT messages
 * @capacity: of the filter
 * @entries: of all filters
 * @id: of the content: when it was made, ns of the engine's clock; ages of keys are as of then
 * @parts: number of parts
 * @plain: bytes of the content
 * @packed: bytes of the compressed content
 * @hash: BLAKE2b-256 of the compressed content
 * @geometry: text of the filter's geometry
 */
struct frame {
	struct chain_node node;
	uint64_t leader;
	uint32_t roster;
	uint64_t capacity;
	uint64_t entries;
	uint64_t id;
	uint64_t parts;
	uint64_t plain;
	uint64_t packed;
	uint8_t hash[FRAME_HASH];
	char geometry[GEOMETRY_ROOM];
};

void frame_put(struct writer *to, const struct frame *frame);

/* frame_get() - read the body of a FRAME; from->bad is set if it is malformed */
void frame_get(struct cursor *from, struct frame *frame);

/* frame_chunk_name() - the name of a value */
void frame_chunk_name(char name[FRAME_NAME], const struct frame *frame, uint64_t chunk);

/* frame_tick() - as aggregator, make a keyframe if one is due */
void frame_tick(struct member *member);

/**
 * frame_load() - load the keyframe, if it helps this host
 * @member: if the keyframe was loaded, its chain stands at the keyframe or behind it
 *
 * Return: false: the engine or the filter could not be used, try again later.
 */
bool frame_load(struct member *member);

/**
 * frame_judge() - may a keyframe be loaded?
 * @group: with its limits
 * @frame: the keyframe
 * @info: of the own filter
 *
 * Return: REASON_NONE; or why not.
 */
enum reason frame_judge(const struct group *group, const struct frame *frame,
			const struct store_info *info);

/**
 * frame_judge_keys() - may so many keys be loaded into a filter?
 * @group: with its limits
 * @entries: the keys
 * @info: of the filter
 *
 * Return: REASON_NONE; or why not.
 */
enum reason frame_judge_keys(const struct group *group, uint64_t entries,
			     const struct store_info *info);

/* frame_limit() - bytes of the largest content that this host accepts */
uint64_t frame_limit(const struct member *member, const struct store_info *info);

/* frame_unpack() - load a content that was verified; changes it. false: it is damaged or refused */
bool frame_unpack(struct member *member, const struct frame *frame, uint8_t *packed);

/**
 * frame_pack() - make a keyframe of the filters
 * @member: this host
 * @frame: in: its place in the chain; out: all of it
 * @packed: out: the compressed content; the caller frees it
 *
 * Return: false: no memory, or the filter cannot be read.
 */
bool frame_pack(struct member *member, struct frame *frame, uint8_t **packed);

/* frame_sign() - write the message of a keyframe to member->bytes; returns its length */
size_t frame_sign(struct member *member, const struct frame *frame);

/* frame_content() - write the parts; the caller frees *@bytes; false: no memory, or no filter */
bool frame_content(struct member *member, struct frame *frame, uint8_t **bytes, size_t *len);

/* frame_apply() - load the parts; changes @bytes. false: the store failed, or they are malformed */
bool frame_apply(struct member *member, const struct frame *frame, uint8_t *bytes, size_t len);

#endif
