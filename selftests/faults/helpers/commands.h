/* SPDX-License-Identifier: GPL-2.0 */
/* The commands of the family, as the kernel lists them. */
#ifndef COMMANDS_H
#define COMMANDS_H

#include "libseen.h"

/**
 * commands_missed() - find commands for which no failure was ever armed
 * @client: the connection
 * @count: out: number of commands; one that also dumps counts twice
 *
 * Prints these commands. Return: their number.
 */
unsigned int commands_missed(struct seen_client *client, unsigned int *count);

#endif
