/* SPDX-License-Identifier: GPL-2.0 */
/* The address of a server in the configuration. */
#ifndef SEEND_ADDRESS_H
#define SEEND_ADDRESS_H

#define ADDRESS_ROOM	320

/**
 * struct address - "unix:PATH" or "tcp:HOST:PORT"
 * @text: as it was written; "": none
 * @name: PATH or HOST, without brackets
 * @port: 0: @name is the path of a socket
 */
struct address {
	char text[ADDRESS_ROOM];
	char name[ADDRESS_ROOM];
	int port;
};

/* address_parse() - NULL; or the form that @text must have */
const char *address_parse(struct address *address, const char *text);

#endif
