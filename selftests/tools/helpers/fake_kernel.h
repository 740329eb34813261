/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A kernel that answers what a test wants: sendmsg() and recvmsg() of netlink sockets end
 * here. It has the family "seen", and answers requests to it by fake_answer().
 */
#ifndef FAKE_KERNEL_H
#define FAKE_KERNEL_H

#include <stdint.h>
#include <netlink/genl/genl.h>

/* fake_answer() - the test's: called for each request to the family */
void fake_answer(struct nlmsghdr *request);

/* fake_begin() - a message of an answer, for libnl's nla_put and for fake_send() */
struct nl_msg *fake_begin(const struct nlmsghdr *request, int flags);
/* fake_send() - the message is what recvmsg() returns next; it is freed */
void fake_send(struct nl_msg *msg);
/* fake_ack() - the end of a request that is no dump; @err: 0 or a negative errno */
void fake_ack(const struct nlmsghdr *request, int err);
/* fake_warn() - the same as fake_ack() without an error, but with a text */
void fake_warn(const struct nlmsghdr *request, const char *text);
/* fake_done() - the end of a dump; @flags: NLM_F_DUMP_INTR or 0 */
void fake_done(const struct nlmsghdr *request, int flags);
/* fake_event() - an event; as fake_begin(), and nobody has asked for it */
struct nl_msg *fake_event(uint8_t cmd);

#endif
