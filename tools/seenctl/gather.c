// SPDX-License-Identifier: GPL-2.0
/*
 * Join neighbouring batch lines that add keys to one filter into one request. The request
 * is sent before any other command runs, when it is full, at the end of the batch, and
 * when the next line of the batch is not available yet.
 */
#include <stdio.h>
#include <string.h>

#include "key_bulk.h"

/* The request of the lines so far, or NULL. */
static struct key_bulk *waiting;

static bool continues(const struct key_bulk_how *how)
{
	return waiting && waiting->how.cmd == how->cmd &&
	       waiting->how.only_new == how->only_new &&
	       waiting->how.copies == how->copies &&
	       !strcmp(waiting->how.filter, how->filter);
}

/* Send the request. Errors name the command and the line of its keys. */
static int send_waiting(struct key_bulk *bulk)
{
	const char *object = ctl.object, *command = ctl.command;
	unsigned int line = ctl.line;
	int status;

	ctl.object = bulk->how.cmd == SEEN_CMD_KEY_ADD ? "key" : "allow";
	ctl.command = "add";
	if (bulk->keys.count)
		ctl.line = bulk->line[bulk->keys.count - 1];
	status = key_bulk_send(bulk);
	if (!status)
		status = key_bulk_conclude(bulk);
	ctl.object = object;
	ctl.command = command;
	if (!status)
		ctl.line = line;
	return status;
}

int gather_end(void)
{
	struct key_bulk *bulk = waiting;
	int status;

	if (!bulk)
		return DONE;
	waiting = NULL;
	status = send_waiting(bulk);
	key_bulk_free(bulk);
	return status;
}

/* Discard the request after a refused key, which ends the batch. */
static void give_up(void)
{
	key_bulk_free(waiting);
	waiting = NULL;
}

/* Begin a request with the first line for this command and filter. */
static int begin(const struct key_bulk_how *how)
{
	int status = gather_end();

	if (status)
		return status;
	waiting = key_bulk_open(how);
	return waiting ? DONE : REFUSED;
}

int gather(const struct key_bulk_how *how, const struct args *args)
{
	char error[LIST_ERROR_LEN];
	int status = continues(how) ? DONE : begin(how);

	if (status)
		return status;
	status = keys_push(waiting, args);
	if (status == LIST_BAD) {
		snprintf(error, sizeof(error), "%s", waiting->list.error);
		status = gather_end();
		return status ? status : usage("%s", error);
	}
	if (status)
		give_up();
	return status;
}
