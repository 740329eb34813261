/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The status of seend, which it sends to each client of its socket. seend.json describes the
 * document. Texts of the document are safe to print: control characters are replaced.
 */
#ifndef SEENCTL_FLEET_STATUS_H
#define SEENCTL_FLEET_STATUS_H

#include "seenctl.h"

#define FLEET_SOCKET	"/run/seen/seend.sock"
/* Bytes of a name and of a sentence, with its NUL; a longer one is cut. */
#define FLEET_NAME	64
#define FLEET_TEXT	256
/* Faults of seend that are read; there are no more kinds. */
#define FLEET_FAULTS	5

/**
 * struct fleet_host - a host of a group
 * @name: of the host
 * @publishes: it sends its new keys
 * @aggregates: it may become the aggregator
 */
struct fleet_host {
	char name[FLEET_NAME];
	bool publishes;
	bool aggregates;
};

/**
 * struct fleet_fault - something that is wrong now
 * @what: its word
 * @text: a sentence with the remedy
 */
struct fleet_fault {
	char what[FLEET_NAME];
	char text[FLEET_TEXT];
};

/**
 * struct fleet_reason - a counter of seend that is not 0
 * @what: its word, such as "lost-tails"
 * @text: its sentence
 * @count: how often it happened since seend started
 */
struct fleet_reason {
	char what[FLEET_NAME];
	char text[FLEET_TEXT];
	uint64_t count;
};

/**
 * struct fleet_group - a group as this host sees it
 * @name: of the group
 * @filter: its filter on this host
 * @host: this host
 * @leader: the host that sends batches; "": none is known
 * @stage: what this host does as aggregator: idle, starting, reading, running
 * @engine: address of the server
 * @replica: address of the replica that is read; "": no replica is used
 * @error: why the engine does not answer; "": not known
 * @filter_error: why the filter cannot be used; "": it can
 * @each: each publisher has a filter of its own
 * @online: the engine answers
 * @complete: this host has all keys of the stream up to the last batch
 * @has_age: there was a batch, and @age is valid
 * @age: ns since the last batch was sent
 * @epoch: term of the aggregator
 * @applied: keys of other hosts that were added or deleted
 * @unsent: batches of this host that the engine does not have
 * @sent: batches of this host that the aggregator has not confirmed
 * @acknowledged: batches that are kept after their confirmation
 * @forwarded: as aggregator: keys sent
 * @repeated: as aggregator: keys not sent, because they were sent shortly before
 * @faults: elements of @fault
 * @fault: faults that seend has found, besides those that the other members show
 * @differs: a host sends messages that this host cannot use
 * @reasons: elements of @reason
 * @reason: counters that are not 0
 * @hosts: elements of @host_list
 * @host_list: all hosts, sorted by name
 */
struct fleet_group {
	char name[FLEET_NAME];
	char filter[FLEET_NAME];
	char host[FLEET_NAME];
	char leader[FLEET_NAME];
	char stage[FLEET_NAME];
	char engine[FLEET_TEXT];
	char replica[FLEET_TEXT];
	char error[FLEET_TEXT];
	char filter_error[FLEET_TEXT];
	bool each;
	bool online;
	bool complete;
	bool has_age;
	uint64_t age;
	uint64_t epoch;
	uint64_t applied;
	uint64_t unsent;
	uint64_t sent;
	uint64_t acknowledged;
	uint64_t forwarded;
	uint64_t repeated;
	size_t faults;
	struct fleet_fault fault[FLEET_FAULTS];
	bool differs;
	size_t reasons;
	struct fleet_reason *reason;
	size_t hosts;
	struct fleet_host *host_list;
};

/**
 * struct fleet - the status of all groups
 * @groups: elements of @group
 * @group: in the order of seend's configuration
 */
struct fleet {
	size_t groups;
	struct fleet_group *group;
};

/**
 * fleet_get() - ask seend for its status
 * @fleet: out; free it with fleet_free(), also after a failure
 * @path: of the socket
 * @quiet: print no error message
 *
 * Return: DONE or REFUSED, after an error message.
 */
int fleet_get(struct fleet *fleet, const char *path, bool quiet);
void fleet_free(struct fleet *fleet);

/* fleet_find() - the group of this name; NULL after an error message */
const struct fleet_group *fleet_find(const struct fleet *fleet, const char *name);

#endif
