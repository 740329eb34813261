// SPDX-License-Identifier: GPL-2.0
/*
 * ack_lost FILTER: tests many numbered keys on a connection whose receive buffer has no room
 * for the acknowledgment after so large an answer, then tests key 0 alone on the same
 * connection. Prints the results of both requests, three times.
 */
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "numbers.h"

#define MANY	SEEN_KEYS_MAX

static struct seen_keys keys;

static const char *ask(struct seen_client *client, const char *filter, uint32_t count)
{
	memset(&keys, 0, sizeof(keys));
	keys_fill(&keys, 0, count);
	if (seen_keys_send(client, SEEN_CMD_KEY_TEST, filter, false, &keys))
		return seen_error(client);
	if (keys.done != count)
		return "no answer";
	return keys.result[0] == SEEN_KEY_RESULT_SEEN ? "seen" : "new";
}

int main(int argc, char **argv)
{
	struct seen_client *client = connect_seen();
	int i, one = 1;

	if (argc != 2)
		fatal("ack_lost FILTER");
	for (i = 0; i < 3; i++) {
		/* The kernel makes the least that it allows of one byte. */
		if (setsockopt(seen_listen_fd(client), SOL_SOCKET, SO_RCVBUF, &one,
			       sizeof(one)))
			fatal("setsockopt");
		printf("%s, ", ask(client, argv[1], MANY));
		printf("%s\n", ask(client, argv[1], 1));
	}
	seen_close(client);
	return 0;
}
