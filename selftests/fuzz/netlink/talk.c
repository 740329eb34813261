// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <sys/socket.h>
#include <unistd.h>

#include "numbers.h"
#include "talk.h"

/* Room for some replies of the largest size. */
#define SOCKET_BYTES	4194304

static uint8_t buffer[RECEIVE_BYTES];
static uint32_t receive_bytes = RECEIVE_BYTES;

void talk_receive(uint32_t bytes)
{
	receive_bytes = bytes;
}

static void set(int fd, int level, int option, int value)
{
	setsockopt(fd, level, option, &value, sizeof(value));
}

int talk_open(int protocol, uint32_t port)
{
	struct sockaddr_nl address = {
		.nl_family = AF_NETLINK,
		.nl_pid = port,
	};
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocol);

	if (fd < 0)
		fatal("netlink socket");
	/* SO_RCVBUFFORCE fails for a tenant, which then has the machine's limit. */
	set(fd, SOL_SOCKET, SO_RCVBUF, SOCKET_BYTES);
	set(fd, SOL_SOCKET, SO_SNDBUF, SOCKET_BYTES);
	set(fd, SOL_SOCKET, SO_RCVBUFFORCE, SOCKET_BYTES);
	set(fd, SOL_SOCKET, SO_SNDBUFFORCE, SOCKET_BYTES);
	set(fd, SOL_NETLINK, NETLINK_EXT_ACK, 1);
	set(fd, SOL_NETLINK, NETLINK_CAP_ACK, 1);
	/* Another process may have taken the port. */
	if (bind(fd, (void *)&address, sizeof(address))) {
		address.nl_pid = 0;
		if (errno != EADDRINUSE ||
		    bind(fd, (void *)&address, sizeof(address)))
			fatal("bind");
	}
	return fd;
}

static void take_texts(const uint8_t *attrs, uint32_t len, struct answer *answer)
{
	const struct nlattr *text = attr_find(attrs, len, NLMSGERR_ATTR_MSG);

	answer->named = attr_find(attrs, len, NLMSGERR_ATTR_OFFS);
	answer->missing = attr_find(attrs, len, NLMSGERR_ATTR_MISS_TYPE);
	answer->policy = attr_find(attrs, len, NLMSGERR_ATTR_POLICY);
	if (text)
		snprintf(answer->text, sizeof(answer->text), "%.*s",
			 (int)attr_len(text), (const char *)attr_data(text));
}

/* After the error come the request's header and the attributes with texts. */
static void take_error(const struct nlmsghdr *header,
		       const struct nlmsgerr *error, struct answer *answer)
{
	answer->arrived = true;
	answer->err = -error->error;
	if (header->nlmsg_flags & NLM_F_ACK_TLVS)
		take_texts((const uint8_t *)(error + 1),
			   NLMSG_PAYLOAD(header, sizeof(*error)), answer);
}

static void take_done(const struct nlmsghdr *header, struct answer *answer)
{
	int err = 0;

	if (NLMSG_PAYLOAD(header, 0) >= (int)sizeof(err))
		memcpy(&err, NLMSG_DATA(header), sizeof(err));
	answer->arrived = true;
	answer->err = err < 0 ? -err : 0;
	if (header->nlmsg_flags & NLM_F_ACK_TLVS)
		take_texts((const uint8_t *)NLMSG_DATA(header) + sizeof(err),
			   NLMSG_PAYLOAD(header, sizeof(err)), answer);
}

static void take_reply(const struct nlmsghdr *header, uint32_t request,
		       talk_heard *heard, void *context)
{
	const struct genlmsghdr *genl = NLMSG_DATA(header);
	const struct reply reply = {
		.request = request,
		.cmd = genl->cmd,
		.flags = header->nlmsg_flags,
		.attrs = (const uint8_t *)genl + GENL_HDRLEN,
		.len = NLMSG_PAYLOAD(header, GENL_HDRLEN),
	};

	if (heard)
		heard(context, &reply);
}

static void take(const struct nlmsghdr *header, uint32_t request,
		 struct answer *answer, talk_heard *heard, void *context)
{
	switch (header->nlmsg_type) {
	case NLMSG_ERROR:
		take_error(header, NLMSG_DATA(header), answer);
		break;
	case NLMSG_DONE:
		take_done(header, answer);
		break;
	default:
		answer->replies++;
		take_reply(header, request, heard, context);
		break;
	}
}

bool talk_hear(int fd, uint32_t seq, struct answer *answers, uint32_t count,
	       uint32_t most, talk_heard *heard, void *context)
{
	const struct nlmsghdr *header;
	bool whole = true;
	uint32_t request;
	ssize_t len;

	for (; most; most--) {
		len = recv(fd, buffer, receive_bytes, MSG_DONTWAIT);
		if (len < 0 && errno == ENOBUFS) {
			whole = false;
			continue;
		}
		if (len < 0)
			break;
		for (header = (void *)buffer; NLMSG_OK(header, len);
		     header = NLMSG_NEXT(header, len)) {
			request = header->nlmsg_seq - seq;
			if (request < count)
				take(header, request, &answers[request], heard,
				     context);
		}
	}
	return whole;
}

struct answer talk_ask(int fd, uint16_t family, const struct message *message,
		       talk_heard *heard, void *context)
{
	static uint8_t bytes[MESSAGE_MAX];
	struct answer answer = {};
	static uint32_t seq;
	uint32_t len = message_write(message, family, ++seq, bytes);

	if (send(fd, bytes, len, 0) != (ssize_t)len)
		fatal("send");
	if (!talk_hear(fd, seq, &answer, 1, UINT32_MAX, heard, context) ||
	    !answer.arrived)
		fatal("the kernel has not answered");
	return answer;
}

static void hear_family(void *context, const struct reply *reply)
{
	const struct nlattr *id = attr_find(reply->attrs, reply->len,
					    CTRL_ATTR_FAMILY_ID);
	uint16_t *family = context;

	if (id)
		memcpy(family, attr_data(id), sizeof(*family));
}

uint16_t talk_family(int fd)
{
	static struct message message = {
		.cmd = CTRL_CMD_GETFAMILY,
		.version = 1,
		.flags = NLM_F_REQUEST | NLM_F_ACK,
	};
	uint16_t family = 0;

	message.len = 0;
	message_put_text(&message, CTRL_ATTR_FAMILY_NAME, SEEN_FAMILY_NAME);
	talk_ask(fd, GENL_ID_CTRL, &message, hear_family, &family);
	if (!family)
		fatal("there is no family \"seen\"");
	return family;
}
