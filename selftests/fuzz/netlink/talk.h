/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sockets to the kernel. Generic netlink answers within the call that sends: what
 * has not come when that returns does not come any more.
 */
#ifndef TALK_H
#define TALK_H

#include "message.h"

/* Bytes of the kernel's longest message. */
#define RECEIVE_BYTES	131072

/**
 * struct answer - what the kernel said to one request
 * @arrived: an error number, or the end of a dump has come
 * @replies: that came before it
 * @err: errno, 0: done
 * @named: the attribute that is at fault was told by its place
 * @missing: the attribute that is missing was told
 * @policy: and so was what the attribute at fault must be
 * @text: why not
 */
struct answer {
	bool arrived;
	uint32_t replies;
	int err;
	bool named;
	bool missing;
	bool policy;
	char text[192];
};

/* talk_open() - a socket of @protocol, bound to @port, or to any if that is 0 */
int talk_open(int protocol, uint32_t port);

/* talk_family() - the number of the family "seen" */
uint16_t talk_family(int fd);

/*
 * talk_receive() - how many bytes are asked for at once from now on; a dump comes in
 * messages of no more than a socket has ever asked for
 */
void talk_receive(uint32_t bytes);

/**
 * struct reply - a message that tells something
 * @request: which one it answers, the first being 0
 * @cmd: enum seen_cmd
 * @flags: NLM_F_*
 * @attrs: what it tells
 * @len: bytes of @attrs
 */
struct reply {
	uint32_t request;
	uint8_t cmd;
	uint16_t flags;
	const uint8_t *attrs;
	uint32_t len;
};

typedef void talk_heard(void *context, const struct reply *reply);

/**
 * talk_hear() - take what has come
 * @fd: the socket
 * @seq: of the first request
 * @answers: to it and those after it
 * @count: of these; what belongs to no request is of a dump left behind, and dropped
 * @most: messages of a dump to read, several may be in one
 * @heard: told each reply; may be NULL
 * @context: for it
 *
 * Return: false: the kernel has had to drop some.
 */
bool talk_hear(int fd, uint32_t seq, struct answer *answers, uint32_t count,
	       uint32_t most, talk_heard *heard, void *context);

/* talk_ask() - one request and all of its answer */
struct answer talk_ask(int fd, uint16_t family, const struct message *message,
		       talk_heard *heard, void *context);

#endif
