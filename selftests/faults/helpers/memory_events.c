// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include <sys/socket.h>

#include "client.h"
#include "fixture.h"
#include "memory_events.h"
#include "numbers.h"

/* In ms. A work item of the kernel sends the event; after this time it will not run any more. */
#define PATIENCE	10000

static struct seen_client *listener;

/* The events read so far, as text, and the number of events lost before them. */
static struct {
	char text[MEMORY_EVENTS_LEN];
	uint64_t lost;
} events;

void memory_events_open(void)
{
	listener = connect_seen();
	must(seen_listen(listener));
	/* Reading must end when there is no further event. */
	fcntl(seen_listen_fd(listener), F_SETFL, O_NONBLOCK);
}

static void note(const char *what, struct nlattr *who, struct nlattr *port)
{
	char name[SEEN_NAME_MAX], of[SEEN_NAME_MAX];
	size_t len = strlen(events.text);

	seen_attr_text(who, name, sizeof(name));
	seen_attr_text(port, of, sizeof(of));
	snprintf(events.text + len, sizeof(events.text) - len, "%s%s %s%s%s",
		 len ? "; " : "", what, name, *of ? "/" : "", of);
}

static struct nlattr *in_nest(struct nlattr *nest, int type)
{
	return nest ? nla_find(nla_data(nest), nla_len(nest), type) : NULL;
}

static void read_event(struct nlmsghdr *nlh)
{
	struct nlattr *tb[SEEN_A_EVENT_MAX + 1], *name;
	struct genlmsghdr *gnlh = nlmsg_data(nlh);

	if (genlmsg_parse(nlh, 0, tb, SEEN_A_EVENT_MAX, NULL))
		fatal("an event that cannot be read");
	events.lost += seen_attr_u64(tb[SEEN_A_EVENT_LOST]);
	if (gnlh->cmd == SEEN_CMD_WAITING_NTF)
		name = in_nest(tb[SEEN_A_EVENT_GUARD], SEEN_A_GUARD_DEV);
	else if (gnlh->cmd == SEEN_CMD_SATURATED_NTF)
		name = in_nest(tb[SEEN_A_EVENT_FILTER], SEEN_A_FILTER_NAME);
	else
		return;
	note(gnlh->cmd == SEEN_CMD_WAITING_NTF ? "waiting" : "saturated", name,
	     tb[SEEN_A_EVENT_PORT]);
}

static void read_all(void)
{
	static char buffer[65536] __attribute__((aligned(NLMSG_ALIGNTO)));
	struct nlmsghdr *nlh;
	ssize_t got;
	int size;

	while ((got = recv(seen_listen_fd(listener), buffer, sizeof(buffer),
			   MSG_DONTWAIT)) > 0 || errno == ENOBUFS) {
		size = got;
		for (nlh = (void *)buffer; got > 0 && nlmsg_ok(nlh, size);
		     nlh = nlmsg_next(nlh, &size))
			read_event(nlh);
	}
}

void memory_events_forget(void)
{
	read_all();
	memset(&events, 0, sizeof(events));
}

void memory_events_await(char text[MEMORY_EVENTS_LEN], bool wait)
{
	struct pollfd ready = { .fd = seen_listen_fd(listener),
				.events = POLLIN };

	read_all();
	while (wait && !*events.text && poll(&ready, 1, PATIENCE) > 0)
		read_all();
	memcpy(text, events.text, MEMORY_EVENTS_LEN);
}

/* Causes another event, because an event reports how many were lost before it. */
bool memory_events_lost(void)
{
	struct seen_filter_config config = fixture_config("next", &sorts[0]);

	must(seen_filter_add(client, &config));
	must(seen_filter_del(client, config.name, true));
	read_all();
	return events.lost;
}
