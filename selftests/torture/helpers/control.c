// SPDX-License-Identifier: GPL-2.0
/*
 * control FILTER...: until SIGTERM, looks up the control set in every filter through netlink:
 * tests each key, and adds it if it is new, which it never is. Prints the number of answers, and
 * how many of them missed a key.
 */
#include <errno.h>
#include <stdio.h>

#include "ports.h"

static struct seen_keys keys;
static uint64_t lookups, missed;

static void take(const char *filter)
{
	uint32_t i;

	for (i = 0; i < keys.done; i++) {
		lookups++;
		if (keys.result[i] == SEEN_KEY_RESULT_SEEN)
			continue;
		if (!missed++)
			fprintf(stderr, "%s: control key %u: answer %u\n",
				filter, keys.data[4 * i + 2] << 8 |
				keys.data[4 * i + 3], keys.result[i]);
	}
}

/* A sketch has no test-and-add; a request that failed for lack of memory looked up nothing. */
static void ask(struct seen_client *client, const char *filter,
		enum seen_cmd cmd)
{
	uint32_t at;
	int err;

	for (at = 0; at < control_count() && !ended; at += step()) {
		ports_fill(&keys, CONTROL_FIRST + at, step());
		err = seen_keys_send(client, cmd, filter,
				     cmd == SEEN_CMD_KEY_ADD, &keys);
		if (err == -EOPNOTSUPP || err == -ENOMEM)
			return;
		if (err) {
			errno = 0;
			fatal(seen_error(client));
		}
		take(filter);
		rest();
	}
}

int main(int argc, char **argv)
{
	struct seen_client *client = connect_seen();
	int i;

	until_told();
	while (!ended) {
		for (i = 1; i < argc && !ended; i++) {
			ask(client, argv[i], SEEN_CMD_KEY_TEST);
			ask(client, argv[i], SEEN_CMD_KEY_ADD);
		}
		if (lookups >= (uint64_t)(argc - 1) * control_count())
			passed();
	}
	seen_close(client);
	printf("lookups %ju missed %ju\n", (uintmax_t)lookups,
	       (uintmax_t)missed);
	return 0;
}
