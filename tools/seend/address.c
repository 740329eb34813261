// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>
#include <sys/un.h>

#include "address.h"

#define PORT_MOST	65535

static const char *address_unix(struct address *address, const char *path)
{
	if (*path != '/' || strlen(path) >= sizeof(((struct sockaddr_un *)0)->sun_path))
		return "the path of a socket must be absolute, and have at most 107 characters";
	strcpy(address->name, path);
	address->port = 0;
	return NULL;
}

/* Take the brackets off an IPv6 address. */
static const char *address_host(struct address *address, const char *host, size_t len)
{
	if (*host == '[' && len > 2 && host[len - 1] == ']') {
		host++;
		len -= 2;
	} else if (memchr(host, ':', len)) {
		return "an IPv6 address must be in brackets, as in tcp:[2001:db8::1]:6379";
	}
	if (!len)
		return "must be tcp:HOST:PORT";
	snprintf(address->name, sizeof(address->name), "%.*s", (int)len, host);
	return NULL;
}

static const char *address_tcp(struct address *address, const char *text)
{
	const char *colon = strrchr(text, ':');
	char end;

	if (!colon || text[strlen(text) - 1] == ']')
		return "must be tcp:HOST:PORT";
	if (colon[1] < '0' || colon[1] > '9' || strlen(colon + 1) > 5 ||
	    sscanf(colon + 1, "%d%c", &address->port, &end) != 1 || address->port < 1 ||
	    address->port > PORT_MOST)
		return "the port must be a number from 1 to 65535";
	return address_host(address, text, colon - text);
}

const char *address_parse(struct address *address, const char *text)
{
	if (strlen(text) >= ADDRESS_ROOM)
		return "the address is too long";
	strcpy(address->text, text);
	if (!strncmp(text, "unix:", 5))
		return address_unix(address, text + 5);
	if (!strncmp(text, "tcp:", 4))
		return address_tcp(address, text + 4);
	return "must be unix:PATH or tcp:HOST:PORT";
}
