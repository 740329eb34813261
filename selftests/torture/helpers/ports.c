// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>

#include "ports.h"

volatile sig_atomic_t ended;

static void end(int signal)
{
	(void)signal;
	ended = 1;
}

static uint32_t setting(const char *name)
{
	const char *text = getenv(name);
	uint32_t value = text ? number(text) : 0;

	if (!value)
		fatal(name);
	return value;
}

uint32_t control_count(void)
{
	static uint32_t count;

	if (!count)
		count = setting("CONTROL_COUNT");
	if (count % step())
		fatal("CONTROL_COUNT is no multiple of STEP");
	return count;
}

uint32_t step(void)
{
	static uint32_t count;

	if (!count)
		count = setting("STEP");
	return count;
}

void draw_anew(unsigned int index)
{
	srandom(setting("DRAW") + index);
}

void until_told(void)
{
	signal(SIGTERM, end);
}

void passed(void)
{
	static bool told;

	if (told)
		return;
	told = true;
	printf("all 1 ");
	fflush(stdout);
}

void ports_fill(struct seen_keys *keys, uint16_t first, uint32_t count)
{
	uint32_t port;
	uint8_t *at;

	keys->count = 0;
	keys->size = 0;
	for (port = first; port < first + count; port++) {
		at = seen_keys_reserve(keys, 2);
		if (!at)
			fatal("too many keys in a request");
		at[0] = port >> 8;
		at[1] = port;
		seen_keys_commit(keys, 2);
	}
}
