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
 * struct seen_event_info - an event; what was not reported is 0 or ""
 * @cmd: which event, such as SEEN_CMD_FILTER_ADD_NTF
 * @has_guard: @guard is reported
 * @has_dup: @dup is reported
 * @has_finding: @finding is reported
 * @guard: the guard that it is about
 * @filter: name of the filter that it is about
 * @filter_id: its id
 * @guard_id: the id of @guard
 * @change: enum seen_change, of SEEN_CMD_FILTER_CHANGE_NTF and SEEN_CMD_GUARD_CHANGE_NTF
 * @old_name: of a filter that was renamed
 * @port: name of the port that it is about
 * @other: the device that the port clashes with, or the other port of its loop
 * @dup: the last duplicate
 * @finding: what probes have found
 * @time: ns, CLOCK_REALTIME
 * @count: duplicates since the port was calm, or keys in the filter
 * @duration: ns of the block, or of the alarm
 * @window: ns, the window that is kept
 * @promised: ns, the window that was asked for
 * @rate: duplicates in the last second
 * @peak: the most of that since the port was calm
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
 * @client: the connection; from now on for seen_listen_next() only
 *
 * Context: one thread a client.
 * Return: 0; -EBUSY: called by a callback of this client; -EIO.
 */
int seen_listen(struct seen_client *client);

/**
 * seen_listen_fd() - the descriptor to poll for events
 * @client: after seen_listen()
 *
 * Context: one thread a client.
 * Return: a descriptor that stays the client's; -ENOTCONN: seen_open() failed.
 */
int seen_listen_fd(const struct seen_client *client);

/**
 * seen_event_fn() - what a program does with an event
 * @event: valid until the callback returns
 * @context: as given to seen_listen_next()
 *
 * Context: the thread that calls seen_listen_next(). The callback must not use that client:
 * its functions return -EBUSY meanwhile. Another client of this thread is free.
 * Return: 0: go on; another value ends seen_listen_next(), which returns it.
 */
typedef int (*seen_event_fn)(const struct seen_event_info *event, void *context);

/**
 * seen_listen_next() - read the events that have come; waits for the first one
 * @client: after seen_listen()
 * @tell: called for each event
 * @context: handed to @tell
 *
 * The events behind the one that ended it, of the same message of the kernel, are lost.
 *
 * Context: one thread a client; may wait for ever.
 * Return: 0; what @tell returned; -ENOBUFS: events were lost on the way; -EMSGSIZE: a name
 * is longer than SEEN_NAME_ROOM; -EBUSY: called by a callback of this client; -EIO.
 */
int seen_listen_next(struct seen_client *client, seen_event_fn tell, void *context);

#ifdef __cplusplus
}
#endif

#endif
