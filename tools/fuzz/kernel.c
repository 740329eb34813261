// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>

#include "linux/seen.h"
#include "kernel.h"

#define FAMILY		0x20
#define ANSWER_MAX	4096
#define DEPTH_MAX	8
#define NEST		0x80

enum kind { DATA, PART, END, ERROR, REFUSAL, RAW, KINDS };

static const uint8_t *at, *end;
static int ready = -1;

/* The current request, and the number of objects reported for it. */
static struct genlmsghdr asked;
static bool dumping;
static int told;

static const struct kept *played;
static struct kept *kept_filter, *kept_guard;

void kernel_keeps(struct kept *filter, struct kept *guard)
{
	kept_filter = filter;
	kept_guard = guard;
	if (filter)
		filter->cmd = 0;
	if (guard)
		guard->cmd = 0;
}

void kernel_plays(const struct kept *added)
{
	played = added;
}

void kernel_answers(const uint8_t *bytes, size_t size)
{
	at = bytes;
	end = size ? bytes + size : bytes;
}

static uint8_t next(void)
{
	return at < end ? *at++ : 0;
}

static size_t rest(void)
{
	return end - at;
}

/* Add an attribute with at most @most bytes of the input. */
static void put_bytes(struct nl_msg *msg, int type, size_t most)
{
	size_t len = most < rest() ? most : rest();

	nla_put(msg, type, len, at);
	at += len;
}

static void put_attributes(struct nl_msg *msg)
{
	struct nlattr *nest[DEPTH_MAX];
	int depth = 0;
	uint8_t type;

	while (rest()) {
		type = next();
		if ((!type && !depth) || (type & NEST && depth == DEPTH_MAX))
			break;
		if (!type)
			nla_nest_end(msg, nest[--depth]);
		else if (type & NEST)
			nest[depth++] = nla_nest_start(msg, type & ~NEST);
		else
			put_bytes(msg, type, next());
		if (depth && !nest[depth - 1])
			break;
	}
	/* The last nest may have had no room. */
	if (depth && !nest[depth - 1])
		depth--;
	while (depth)
		nla_nest_end(msg, nest[--depth]);
}

static void make_visible(struct nlattr *text)
{
	char *sign = nla_data(text);
	int i;

	for (i = 0; i < nla_len(text); i++)
		if (sign[i] && !isgraph((unsigned char)sign[i]))
			sign[i] = '.';
}

/* Texts get only visible characters, because seenctl prints the kernel's texts as they are. */
static void put_texts(struct nl_msg *msg)
{
	int left, from = nlmsg_datalen(nlmsg_hdr(msg));
	char *data = nlmsg_data(nlmsg_hdr(msg));
	struct nlattr *attr;

	put_attributes(msg);
	nla_for_each_attr(attr, (struct nlattr *)(data + from),
			  nlmsg_datalen(nlmsg_hdr(msg)) - from, left)
		if (nla_type(attr) == NLMSGERR_ATTR_MSG)
			make_visible(attr);
}

/* Add an error's number, the request's header, and texts. */
static void put_error(struct nl_msg *msg, int number)
{
	struct nlmsgerr err = { .error = number, .msg.nlmsg_len = NLMSG_HDRLEN };

	nlmsg_append(msg, &err, sizeof(err), NLMSG_ALIGNTO);
	put_texts(msg);
}

static void put_end(struct nl_msg *msg)
{
	int number = -next();

	nlmsg_append(msg, &number, sizeof(number), NLMSG_ALIGNTO);
	put_texts(msg);
}

/* A message that no kernel would send: any bytes after a header. */
static void put_raw(struct nl_msg *msg)
{
	size_t len = next();

	len = len < rest() ? len : rest();
	nlmsg_append(msg, (void *)at, len, 0);
	at += len;
}

static void put_header(struct nl_msg *msg, enum kind kind, uint8_t flags)
{
	static const int types[] = {
		[DATA] = FAMILY, [PART] = FAMILY, [END] = NLMSG_DONE,
		[ERROR] = NLMSG_ERROR, [REFUSAL] = NLMSG_ERROR, [RAW] = FAMILY,
	};
	int multi = kind == PART || kind == END ? NLM_F_MULTI : 0;

	if (flags & 1)
		multi |= NLM_F_DUMP_INTR;
	nlmsg_put(msg, 0, 0, types[kind], 0, multi | NLM_F_ACK_TLVS |
		  (flags & 2 ? NLM_F_CAPPED : 0));
}

static struct nl_msg *answer(void)
{
	struct nl_msg *msg = nlmsg_alloc_size(ANSWER_MAX);
	uint8_t what = next();
	enum kind kind = what % KINDS;
	struct genlmsghdr head = { .version = 1 };

	put_header(msg, kind, what / KINDS);
	switch (kind) {
	case DATA:
	case PART:
		head.cmd = next();
		nlmsg_append(msg, &head, sizeof(head), NLMSG_ALIGNTO);
		put_attributes(msg);
		break;
	case END:
		put_end(msg);
		break;
	case ERROR:
		put_error(msg, 0);
		break;
	case REFUSAL:
		put_error(msg, -next());
		break;
	default:
		put_raw(msg);
	}
	return msg;
}

static uint8_t get_of(uint8_t add)
{
	return add == SEEN_CMD_GUARD_ADD ? SEEN_CMD_GUARD_GET :
					   SEEN_CMD_FILTER_GET;
}

/* Answer a dump with the added object and an end, and any other request with success. */
static struct nl_msg *play(void)
{
	struct nl_msg *msg = nlmsg_alloc_size(ANSWER_MAX);
	struct genlmsghdr head = { .cmd = asked.cmd, .version = 1 };
	bool has = asked.cmd == get_of(played->cmd);

	if (dumping && has && !told++) {
		nlmsg_put(msg, 0, 0, FAMILY, 0, NLM_F_MULTI);
		nlmsg_append(msg, &head, sizeof(head), NLMSG_ALIGNTO);
		nlmsg_append(msg, (void *)played->attrs, played->len,
			     NLMSG_ALIGNTO);
	} else if (dumping) {
		nlmsg_put(msg, 0, 0, NLMSG_DONE, 0, NLM_F_MULTI);
		nlmsg_append(msg, &(int){ 0 }, sizeof(int), NLMSG_ALIGNTO);
	} else {
		nlmsg_put(msg, 0, 0, NLMSG_ERROR, 0, 0);
		put_error(msg, 0);
	}
	return msg;
}

/* As nl_recv(): libnl frees the memory. */
static int receive(struct nl_sock *sock, struct sockaddr_nl *from,
		   unsigned char **buffer, struct ucred **who)
{
	struct nl_msg *msg;
	int len;

	(void)sock;
	(void)who;
	if (!rest() && !played)
		return -NLE_NOADDR;
	memset(from, 0, sizeof(*from));
	from->nl_family = AF_NETLINK;
	msg = played ? play() : answer();
	len = nlmsg_hdr(msg)->nlmsg_len;
	*buffer = malloc(len);
	memcpy(*buffer, nlmsg_hdr(msg), len);
	nlmsg_free(msg);
	return len;
}

static int any_number(struct nl_msg *msg, void *context)
{
	(void)msg;
	(void)context;
	return NL_OK;
}

int nl_recvmsgs(struct nl_sock *sock, struct nl_cb *cb)
{
	int got;

	nl_cb_overwrite_recv(cb, receive);
	nl_cb_set(cb, NL_CB_SEQ_CHECK, NL_CB_CUSTOM, any_number, NULL);
	got = nl_recvmsgs_report(sock, cb);
	return got > 0 ? 0 : got;
}

int nl_recvmsgs_default(struct nl_sock *sock)
{
	struct nl_cb *cb = nl_socket_get_cb(sock);
	int err = nl_recvmsgs(sock, cb);

	nl_cb_put(cb);
	return err;
}

static void keep(struct kept *kept, const struct genlmsghdr *header)
{
	size_t len = genlmsg_attrlen(header, 0);

	if (!kept || kept->cmd || len > KEPT_MAX)
		return;
	kept->cmd = header->cmd;
	kept->len = len;
	memcpy(kept->attrs, genlmsg_attrdata(header, 0), len);
}

int nl_send_auto(struct nl_sock *sock, struct nl_msg *msg)
{
	struct nlmsghdr *header = nlmsg_hdr(msg);

	(void)sock;
	asked = *(struct genlmsghdr *)nlmsg_data(header);
	dumping = (header->nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP;
	told = 0;
	if (asked.cmd == SEEN_CMD_FILTER_ADD)
		keep(kept_filter, nlmsg_data(header));
	else if (asked.cmd == SEEN_CMD_GUARD_ADD)
		keep(kept_guard, nlmsg_data(header));
	return header->nlmsg_len;
}

int genl_connect(struct nl_sock *sock)
{
	(void)sock;
	return 0;
}

int genl_ctrl_resolve(struct nl_sock *sock, const char *name)
{
	(void)sock;
	(void)name;
	return FAMILY;
}

int genl_ctrl_resolve_grp(struct nl_sock *sock, const char *family,
			  const char *group)
{
	(void)sock;
	(void)family;
	(void)group;
	return 1;
}

int nl_socket_add_memberships(struct nl_sock *sock, int group, ...)
{
	(void)sock;
	(void)group;
	return 0;
}

int nl_socket_add_membership(struct nl_sock *sock, int group)
{
	(void)sock;
	(void)group;
	return 0;
}

/* A descriptor that is always readable, so that poll() never waits. */
int nl_socket_get_fd(const struct nl_sock *sock)
{
	(void)sock;
	if (ready < 0)
		ready = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	return ready;
}
