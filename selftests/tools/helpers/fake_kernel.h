/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A kernel whose answers a test chooses: overrides sendmsg() and recvmsg() of netlink sockets. It
 * has the family "seen", and calls fake_answer() for each request to it.
 */
#ifndef FAKE_KERNEL_H
#define FAKE_KERNEL_H

#include <stdint.h>
#include <netlink/genl/genl.h>

/* fake_answer() - defined by the test: called for each request to the family */
void fake_answer(struct nlmsghdr *request);

/* fake_begin() - allocate a message of an answer, for libnl's nla_put and for fake_send() */
struct nl_msg *fake_begin(const struct nlmsghdr *request, int flags);
/* fake_send() - queue a message for recvmsg(), and free it */
void fake_send(struct nl_msg *msg);
/* fake_ack() - end the answer to a request that is no dump; @err: 0 or a negative errno */
void fake_ack(const struct nlmsghdr *request, int err);
/* fake_text() - as fake_ack(), with a text: the reason of the error, or a warning */
void fake_text(const struct nlmsghdr *request, int err, const char *text);
/* fake_done() - end a dump; @flags: NLM_F_DUMP_INTR or 0 */
void fake_done(const struct nlmsghdr *request, int flags);
/* fake_event() - allocate an event, like fake_begin(), but without a request */
struct nl_msg *fake_event(uint8_t cmd);

#endif
