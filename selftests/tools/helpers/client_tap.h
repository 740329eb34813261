/* SPDX-License-Identifier: GPL-2.0 */
/* Functions for tests of libseen's client on the fake kernel, with TAP output. */
#ifndef CLIENT_TAP_H
#define CLIENT_TAP_H

#include <stdbool.h>

#include <seen/libseen.h>

#include "fake_kernel.h"

/* The client; open from begin() to finish(). */
extern struct seen_client *client;
/* How the fake kernel answers a request; set by the test. */
extern void (*answer)(struct nlmsghdr *request);
/* Requests since the test set it to 0. */
extern unsigned int asked;

/* begin() - open the client; ends the program if that fails */
void begin(void);
/* finish() - close the client and print the plan. Return: exit status of the program */
int finish(void);

/* ok() - print a result: ok if @good */
void ok(bool good, const char *format, ...) __attribute__((__format__(__printf__, 2, 3)));
/* failed_with() - a result: @err equals @want, and the client's error text contains @text */
void failed_with(int err, int want, const char *text, const char *what);

bool is(const struct nlmsghdr *request, enum seen_cmd cmd);
bool is_dump(const struct nlmsghdr *request);
/* end() - end an answer without an error */
void end(struct nlmsghdr *request);

#endif
