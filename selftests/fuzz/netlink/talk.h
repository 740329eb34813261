/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sockets to the kernel. Generic netlink answers within the system call that sends: an answer that
 * is not there when the call returns will not arrive.
 */
#ifndef TALK_H
#define TALK_H

#include "message.h"

/* Bytes of the kernel's longest message. */
#define RECEIVE_BYTES	131072

/**
 * struct answer - the kernel's answer to a request
 * @arrived: an error message, or the end of a dump, has arrived
 * @replies: number of replies before it
 * @err: errno, 0: success
 * @named: the answer has the offset of the wrong attribute
 * @missing: the answer names a missing attribute
 * @policy: the answer has the policy of the wrong attribute
 * @text: error text
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
 * talk_receive() - set the buffer size for receiving; messages of a dump are not larger than the
 * largest buffer that was ever used on the socket
 */
void talk_receive(uint32_t bytes);

/**
 * struct reply - a message with data
 * @request: index of the request that it answers, from 0
 * @cmd: enum seen_cmd
 * @flags: NLM_F_*
 * @attrs: attributes
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
 * talk_hear() - receive answers
 * @fd: the socket
 * @seq: sequence number of the first request
 * @answers: out: the answers to it and to the following requests
 * @count: number of requests; messages of an earlier dump that was not read are dropped
 * @most: number of messages of a dump to read; each may have several replies
 * @heard: called for each reply; may be NULL
 * @context: passed to @heard
 *
 * Return: false if the kernel had to drop messages.
 */
bool talk_hear(int fd, uint32_t seq, struct answer *answers, uint32_t count,
	       uint32_t most, talk_heard *heard, void *context);

/* talk_ask() - send one request and receive its whole answer */
struct answer talk_ask(int fd, uint16_t family, const struct message *message,
		       talk_heard *heard, void *context);

#endif
