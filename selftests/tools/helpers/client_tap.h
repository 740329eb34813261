/* SPDX-License-Identifier: GPL-2.0 */
/* Tests of libseen's client against the fake kernel, as TAP. */
#ifndef CLIENT_TAP_H
#define CLIENT_TAP_H

#include <stdbool.h>

#include <seen/libseen.h>

#include "fake_kernel.h"

/* From begin() to finish(). */
extern struct seen_client *client;
/* How the fake kernel answers a request; set by the test. */
extern void (*answer)(struct nlmsghdr *request);
/* Requests since the test set it to 0. */
extern unsigned int asked;

/* begin() - open the client, or exit */
void begin(void);
/* finish() - close it, and print the plan; returns the status of the program */
int finish(void);

/* ok() - one test: is @good true? */
void ok(bool good, const char *format, ...) __attribute__((__format__(__printf__, 2, 3)));
/* failed_with() - is @err what is wanted, and does the text say it? */
void failed_with(int err, int want, const char *text, const char *what);

bool is(const struct nlmsghdr *request, enum seen_cmd cmd);
bool is_dump(const struct nlmsghdr *request);
/* end() - end an answer without an error */
void end(struct nlmsghdr *request);

#endif
