/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libseen: events of the kernel. libseen.h states units, errors and threads.
 */
#ifndef LIBSEEN_EVENT_H
#define LIBSEEN_EVENT_H

#include "libseen_guard.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * struct seen_event_info - an event; members that the kernel did not report are 0 or ""
 * @cmd: which event, such as SEEN_CMD_FILTER_ADD_NTF
 * @has_guard: @guard is reported
 * @has_dup: @dup is reported
 * @has_finding: @finding is reported
 * @guard: the guard that the event is about
 * @filter: name of the filter that the event is about
 * @filter_id: the id of @filter
 * @guard_id: the id of @guard
 * @change: enum seen_change, for SEEN_CMD_FILTER_CHANGE_NTF and SEEN_CMD_GUARD_CHANGE_NTF
 * @old_name: the former name of a renamed filter
 * @port: name of the port that the event is about
 * @other: the port that gets the same packets, or the other port of the loop
 * @dup: the last duplicate
 * @finding: the finding of the guard's probes
 * @time: ns, CLOCK_REALTIME
 * @count: duplicates since the port was last calm, keys in the full filter, or keys beyond the
 *         port's budget
 * @duration: ns that the block or the alarm lasted
 * @window: ns, the effective window, see struct seen_filter_info
 * @promised: ns, the configured window
 * @rate: duplicates in the last second
 * @peak: the highest @rate since the port was last calm
 * @lost: events before this one that the kernel could not deliver
 * @reserved: 0
 */
struct seen_event_info {
	enum seen_cmd cmd;
	bool has_guard;
	bool has_dup;
	bool has_finding;
	struct seen_guard_id guard;
	char filter[SEEN_NAME_ROOM];
	uint32_t filter_id;
	uint32_t guard_id;
	uint32_t change;
	char old_name[SEEN_NAME_ROOM];
	char port[IF_NAMESIZE];
	char other[IF_NAMESIZE];
	struct seen_dup_info dup;
	struct seen_finding_info finding;
	uint64_t time;
	uint64_t count;
	uint64_t duration;
	uint64_t window;
	uint64_t promised;
	uint64_t rate;
	uint64_t peak;
	uint64_t lost;
	uint64_t reserved[16];
};

/**
 * seen_listen() - subscribe to the events of the namespace
 * @client: the connection; from then on use it for seen_listen_next() only
 *
 * Context: one thread at a time for each client.
 * Return: 0; -EBUSY: called by a callback of this client; -EIO.
 */
int seen_listen(struct seen_client *client);

/**
 * seen_listen_fd() - the descriptor to poll for events
 * @client: after seen_listen()
 *
 * Context: one thread at a time for each client.
 * Return: a descriptor, which the client closes; -ENOTCONN: seen_open() failed.
 */
int seen_listen_fd(const struct seen_client *client);

/**
 * seen_event_fn() - the callback for an event
 * @event: valid until the callback returns
 * @context: from the caller of seen_listen_next()
 *
 * Context: the thread that calls seen_listen_next(). The callback must not use the client of
 * that call: its functions return -EBUSY. The callback may use another client.
 * Return: 0 to continue; another value ends seen_listen_next(), which returns it.
 */
typedef int (*seen_event_fn)(const struct seen_event_info *event, void *context);

/**
 * seen_listen_next() - read the events that have arrived; waits until there is one
 * @client: after seen_listen()
 * @tell: called for each event
 * @context: passed to @tell
 *
 * If @tell ends the call, the later events in the same message of the kernel are lost. The call
 * may return 0 without an event: the socket also receives changes of other netlink families.
 *
 * Context: one thread at a time for each client; may wait without limit.
 * Return: 0; the value that @tell returned; -ENOBUFS: the socket's buffer overflowed and
 * events were lost; -ENOENT: the module was unloaded, and no event follows, so close the
 * client; -EMSGSIZE: a name is longer than SEEN_NAME_ROOM; -EBUSY: called by a callback of
 * this client; -EIO.
 */
int seen_listen_next(struct seen_client *client, seen_event_fn tell, void *context);

#ifdef __cplusplus
}
#endif

#endif
