// SPDX-License-Identifier: GPL-2.0
/* See client_tap.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client_tap.h"

struct seen_client *client;
void (*answer)(struct nlmsghdr *request);
unsigned int asked;
static unsigned int done, failed;

void fake_answer(struct nlmsghdr *request)
{
	asked++;
	answer(request);
}

void begin(void)
{
	puts("TAP version 13");
	if (!seen_open(&client))
		return;
	fprintf(stderr, "client: %s\n", seen_error(client));
	exit(1);
}

int finish(void)
{
	seen_close(client);
	printf("1..%u\n", done);
	return failed > 0;
}

void ok(bool good, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	printf("%sok %u - ", good ? "" : "not ", ++done);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	if (!good)
		printf("# %s\n", seen_error(client));
	failed += !good;
}

void failed_with(int err, int want, const char *text, const char *what)
{
	ok(err == want && strstr(seen_error(client), text), "%s (%d)", what, err);
}

bool is(const struct nlmsghdr *request, enum seen_cmd cmd)
{
	return genlmsg_hdr((void *)request)->cmd == cmd;
}

bool is_dump(const struct nlmsghdr *request)
{
	return (request->nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP;
}

void end(struct nlmsghdr *request)
{
	if (is_dump(request))
		fake_done(request, 0);
	else
		fake_ack(request, 0);
}
