/* SPDX-License-Identifier: GPL-2.0 */
/* The commands of the family, as the kernel lists them. */
#ifndef COMMANDS_H
#define COMMANDS_H

#include "libseen.h"

/**
 * commands_missed() - which of them no request has come to while a failure was armed
 * @client: the connection
 * @count: out: how many there are, a command that also dumps counted twice
 *
 * Prints them. Return: how many.
 */
unsigned int commands_missed(struct seen_client *client, unsigned int *count);

#endif
