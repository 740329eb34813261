// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <netlink/genl/ctrl.h>
#include <linux/netlink.h>

#include "client.h"
#include "refusal.h"

/* Enough for an answer to SEEN_KEYS_MAX keys, and for the kernel's largest dump message. */
#define RECEIVE_BYTES	65536
/* Enough for several dump messages, or for a burst of events. */
#define SOCKET_BYTES	1048576

const char seen_short_reply[] =
	"the kernel's reply is incomplete; use libseen and module of the same version";

int seen_fail(struct seen_client *client, int err, const char *text)
{
	snprintf(client->error, sizeof(client->error), "%s", text);
	return err;
}

int seen_fail_list(struct seen_client *client, const char *what)
{
	snprintf(client->error, sizeof(client->error),
		 "%s change faster than they can be listed (%d tries); try again",
		 what, SEEN_LIST_TRIES);
	return -EAGAIN;
}

bool seen_fits(struct seen_client *client, const char *what, size_t count, size_t room)
{
	if (count < room)
		return true;
	client->crowded = what;
	client->room = room;
	return false;
}

int seen_fail_room(struct seen_client *client)
{
	snprintf(client->error, sizeof(client->error),
		 "the kernel reports more than %u %s; update libseen", client->room,
		 client->crowded);
	return -EMSGSIZE;
}

int seen_enter(struct seen_client *client)
{
	/* Keep the error text of the current call. */
	if (client->busy) {
		client->misused = true;
		return -EBUSY;
	}
	if (client->family <= 0)
		return seen_fail(client, -ENOTCONN, "seen_open() of this client failed");
	client->busy = true;
	client->crowded = NULL;
	client->error[0] = '\0';
	return 0;
}

void seen_leave(struct seen_client *client)
{
	client->busy = false;
	client->misused = false;
}

int seen_begin(struct seen_client *client)
{
	int err = seen_enter(client);

	if (!err)
		seen_leave(client);
	return err;
}

int seen_refuse(struct seen_client *client, const char *fault)
{
	int err = seen_begin(client);

	return err ? err : seen_fail(client, -EINVAL, fault);
}

/* Names that fit SEEN_NAME_ROOM are left to the kernel, which has the same error text. */
int seen_check_name(struct seen_client *client, enum seen_cmd cmd, int attr,
		    const char *name)
{
	int err = seen_begin(client);

	if (err || strnlen(name, SEEN_NAME_ROOM) < SEEN_NAME_ROOM)
		return err;
	snprintf(client->error, sizeof(client->error), "%s: must be at most %u bytes",
		 seen_attr_words(cmd)->attr[attr].word, SEEN_NAME_MAX - 1);
	return -EINVAL;
}

/* Set the error text for an errno; the kernel's own text, if any, replaces it. */
static void fail_number(struct seen_client *client, int number)
{
	if (number == EPERM)
		seen_refusal_rights(client->request, client->error,
				    sizeof(client->error));
	else
		seen_fail(client, -number, strerror(number));
}

int seen_fail_nl(struct seen_client *client, int nl_err)
{
	switch (-nl_err) {
	case NLE_NOMEM:
		return seen_fail(client, -ENOMEM, strerror(ENOMEM));
	case NLE_PERM:
		fail_number(client, EPERM);
		return -EPERM;
	default:
		return seen_fail(client, -EIO, nl_geterror(nl_err));
	}
}

static void set_option(struct nl_sock *sock, int option)
{
	const int on = 1;

	/* Older kernels lack these options; then an error has only its number. */
	setsockopt(nl_socket_get_fd(sock), SOL_NETLINK, option, &on, sizeof(on));
}

static int connect_socket(struct seen_client *client)
{
	int err = genl_connect(client->sock);

	if (err)
		return seen_fail_nl(client, err);
	nl_socket_set_buffer_size(client->sock, SOCKET_BYTES, SOCKET_BYTES);
	nl_socket_set_msg_buf_size(client->sock, RECEIVE_BYTES);
	set_option(client->sock, NETLINK_EXT_ACK);
	set_option(client->sock, NETLINK_CAP_ACK);
	return 0;
}

static int open_socket(struct seen_client *client)
{
	int err;

	client->sock = nl_socket_alloc();
	if (!client->sock)
		return seen_fail_nl(client, -NLE_NOMEM);
	err = connect_socket(client);
	if (err)
		return err;
	client->family = genl_ctrl_resolve(client->sock, SEEN_FAMILY_NAME);
	if (client->family == -NLE_OBJ_NOTFOUND)
		return seen_fail(client, -ENOENT,
				 "the kernel module \"seen\" is not loaded (modprobe seen; \"dkms status seen\" lists the kernels that have it)");
	return client->family < 0 ? seen_fail_nl(client, client->family) : 0;
}

int seen_open(struct seen_client **client)
{
	*client = calloc(1, sizeof(**client));
	return *client ? open_socket(*client) : -ENOMEM;
}

/* Do nothing if a callback closes its own client, because the current request still uses it. */
void seen_close(struct seen_client *client)
{
	if (!client || client->busy)
		return;
	nl_socket_free(client->sock);
	free(client);
}

const char *seen_error(const struct seen_client *client)
{
	if (!client)
		return strerror(ENOMEM);
	return client->misused ?
	       "a callback cannot use the client that called it; open another one" :
	       client->error;
}

const char *seen_warning(const struct seen_client *client)
{
	return client && client->warning[0] ? client->warning : NULL;
}

struct nl_msg *seen_request(struct seen_client *client, enum seen_cmd cmd,
			    int flags, size_t size)
{
	struct nl_msg *msg = nlmsg_alloc_size(NLMSG_HDRLEN + GENL_HDRLEN + size);

	if (msg && !genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, client->family,
				0, flags, cmd, SEEN_FAMILY_VERSION)) {
		nlmsg_free(msg);
		return NULL;
	}
	return msg;
}

/* Keep the kernel's text: the reason of an error, or a warning after a success. */
static void keep_text(struct seen_client *client, struct nlattr *tlv, int len)
{
	struct nlattr *tb[NLMSGERR_ATTR_MAX + 1];

	if (nla_parse(tb, NLMSGERR_ATTR_MAX, tlv, len, NULL))
		return;
	if (client->status)
		seen_refusal_text(client->request, -client->status, tb,
				  client->error, sizeof(client->error));
	else
		seen_refusal_text(client->request, 0, tb, client->warning,
				  sizeof(client->warning));
}

/* After @err in the message: the original request, unless capped, and then the attributes. */
static int on_error(struct sockaddr_nl *from, struct nlmsgerr *err, void *arg)
{
	struct nlmsghdr *nlh = (struct nlmsghdr *)err - 1;
	struct seen_client *client = arg;
	int skip = sizeof(*err);

	(void)from;
	client->status = err->error;
	if (err->error)
		fail_number(client, -err->error);
	if (!(nlh->nlmsg_flags & NLM_F_CAPPED))
		skip += err->msg.nlmsg_len - NLMSG_HDRLEN;
	skip = NLMSG_ALIGN(skip);
	if ((nlh->nlmsg_flags & NLM_F_ACK_TLVS) && nlmsg_datalen(nlh) > skip)
		keep_text(client, (void *)((char *)err + skip),
			  nlmsg_datalen(nlh) - skip);
	return NL_STOP;
}

static int on_ack(struct nl_msg *msg, void *arg)
{
	struct nlmsgerr *err = nlmsg_data(nlmsg_hdr(msg));

	return on_error(NULL, err, arg);
}

/* A dump ends with an errno or 0, and possibly with attributes, as an error does. */
static int on_finish(struct nl_msg *msg, void *arg)
{
	struct nlmsghdr *nlh = nlmsg_hdr(msg);
	struct seen_client *client = arg;
	int err = 0, skip = NLMSG_ALIGN(sizeof(err));

	if (nlmsg_datalen(nlh) >= (int)sizeof(err))
		memcpy(&err, nlmsg_data(nlh), sizeof(err));
	client->status = err < 0 ? err : 0;
	if (err < 0)
		fail_number(client, -err);
	if ((nlh->nlmsg_flags & NLM_F_ACK_TLVS) && nlmsg_datalen(nlh) > skip)
		keep_text(client, (void *)((char *)nlmsg_data(nlh) + skip),
			  nlmsg_datalen(nlh) - skip);
	return NL_STOP;
}

static int on_interrupted(struct nl_msg *msg, void *arg)
{
	struct seen_client *client = arg;

	(void)msg;
	client->interrupted = true;
	return NL_OK;
}

struct answer {
	struct seen_client *client;
	uint32_t seq;
	seen_parse_t parse;
	void *context;
	int err;
};

static int on_valid(struct nl_msg *msg, void *arg)
{
	struct answer *answer = arg;

	struct seen_client *client = answer->client;

	if (!answer->parse || answer->err)
		return NL_OK;
	answer->err = answer->parse(client, nlmsg_hdr(msg), answer->context);
	if (client->crowded)
		answer->err = seen_fail_room(client);
	return NL_OK;
}

/*
 * Without this, libnl counts answers. If the kernel had no memory for one answer, libnl would
 * attribute every later answer to another request.
 */
static int on_sequence(struct nl_msg *msg, void *arg)
{
	struct answer *answer = arg;

	return nlmsg_hdr(msg)->nlmsg_seq == answer->seq ? NL_OK : NL_SKIP;
}

static int receive(struct seen_client *client, struct answer *answer)
{
	struct nl_cb *cb = nl_cb_alloc(NL_CB_DEFAULT);
	int err = 0;

	if (!cb)
		return seen_fail_nl(client, -NLE_NOMEM);
	nl_cb_err(cb, NL_CB_CUSTOM, on_error, client);
	nl_cb_set(cb, NL_CB_SEQ_CHECK, NL_CB_CUSTOM, on_sequence, answer);
	nl_cb_set(cb, NL_CB_ACK, NL_CB_CUSTOM, on_ack, client);
	nl_cb_set(cb, NL_CB_FINISH, NL_CB_CUSTOM, on_finish, client);
	nl_cb_set(cb, NL_CB_DUMP_INTR, NL_CB_CUSTOM, on_interrupted, client);
	nl_cb_set(cb, NL_CB_VALID, NL_CB_CUSTOM, on_valid, answer);
	while (!err && client->status > 0)
		err = nl_recvmsgs(client->sock, cb);
	nl_cb_put(cb);
	if (err >= 0 || client->status <= 0)
		return client->status;
	/* An unfinished dump blocks further dumps on its socket: open a new socket. */
	nl_close(client->sock);
	connect_socket(client);
	return seen_fail_nl(client, err);
}

static int transact(struct seen_client *client, struct nl_msg *msg,
		    seen_parse_t parse, void *context)
{
	struct answer answer = {
		.client = client, .parse = parse, .context = context,
	};
	int err;

	client->status = 1;
	client->interrupted = false;
	client->warning[0] = '\0';
	err = nl_send_auto(client->sock, msg);
	client->request = nlmsg_hdr(msg);
	answer.seq = client->request->nlmsg_seq;
	err = err < 0 ? seen_fail_nl(client, err) : receive(client, &answer);
	client->request = NULL;
	/* Netlink core returns ERANGE where the module returns EINVAL: a value out of its range. */
	if (err == -ERANGE)
		return -EINVAL;
	if (err)
		return err;
	if (answer.err && !client->error[0])
		seen_fail(client, answer.err, strerror(-answer.err));
	if (answer.err)
		return answer.err;
	if (client->interrupted)
		return seen_fail(client, -EAGAIN, strerror(EAGAIN));
	return 0;
}

int seen_transact(struct seen_client *client, struct nl_msg *msg,
		  seen_parse_t parse, void *context)
{
	int err = seen_enter(client);

	if (!err) {
		err = msg ? transact(client, msg, parse, context) :
			    seen_fail_nl(client, -NLE_NOMEM);
		seen_leave(client);
	}
	nlmsg_free(msg);
	return err;
}

int seen_simple(struct seen_client *client, enum seen_cmd cmd, int attr,
		const char *name, int other_attr, const char *other)
{
	int err = seen_check_name(client, cmd, attr, name);
	struct nl_msg *msg;

	if (!err && other)
		err = seen_check_name(client, cmd, other_attr, other);
	if (err)
		return err;
	msg = seen_request(client, cmd, NLM_F_ACK, 256);
	if (msg && (nla_put_string(msg, attr, name) ||
		    (other && nla_put_string(msg, other_attr, other)))) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return seen_transact(client, msg, NULL, NULL);
}
