/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libseen: connections to the kernel. libseen.h states units, errors and threads.
 */
#ifndef LIBSEEN_CLIENT_H
#define LIBSEEN_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <net/if.h>
#include <linux/seen.h>

#include "key.h"
#include "names.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of a name, with its NUL. */
#define SEEN_NAME_ROOM		64

struct seen_client;

/**
 * seen_version() - the version of this library
 *
 * Context: any thread.
 * Return: text such as "1.0.0", valid as long as the program runs.
 */
const char *seen_version(void);

/**
 * seen_open() - connect to the module in the caller's network namespace
 * @client: out: the connection; close it with seen_close(), also after a failure; NULL if
 *          there was no memory
 *
 * The kernel loads the module on demand. The client stays in the network namespace in which
 * it was opened.
 *
 * Context: any thread.
 * Return: 0; -ENOENT: the module is not loaded, and the kernel could not load it; -ENOMEM; -EIO.
 */
int seen_open(struct seen_client **client);

/**
 * seen_close() - end a connection
 * @client: from seen_open(), or NULL
 *
 * Does nothing if a callback of this client calls it.
 *
 * Context: one thread at a time for each client.
 */
void seen_close(struct seen_client *client);

/**
 * seen_error() - why the last call of a client failed
 * @client: the connection; NULL: seen_open() had no memory
 *
 * Context: one thread at a time for each client.
 * Return: a line for people, valid until the next call of this client.
 */
const char *seen_error(const struct seen_client *client);

/**
 * seen_warning() - the kernel's warning about the last call, which succeeded
 * @client: the connection, or NULL
 *
 * Context: one thread at a time for each client.
 * Return: a line for people, valid until the next call of this client; NULL: there is no
 * warning, or @client is NULL.
 */
const char *seen_warning(const struct seen_client *client);

#ifdef __cplusplus
}
#endif

#endif
