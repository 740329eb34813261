// SPDX-License-Identifier: GPL-2.0
/*
 * dump_unread: requests a dump of all filters, prints "asked", and reads no answer until it
 * is killed, so that the dump stays unfinished.
 */
#include <stdio.h>
#include <unistd.h>

#include "client.h"
#include "numbers.h"

int main(void)
{
	struct seen_client *client = connect_seen();
	struct nl_msg *msg = seen_request(client, SEEN_CMD_FILTER_GET,
					  NLM_F_DUMP, 0);

	if (!msg || nl_send_auto(client->sock, msg) < 0)
		fatal("no request");
	printf("asked\n");
	fflush(stdout);
	for (;;)
		pause();
}
