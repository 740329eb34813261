// SPDX-License-Identifier: GPL-2.0
/* Print errors and notes. */
#include <stdarg.h>
#include <stdio.h>

#include "loss.h"
#include "seenctl.h"

/* Print the prefix of a message. @command: with the name of the command. */
static void message_begin(bool command)
{
	fflush(stdout);
	fputs("seenctl: ", stderr);
	if (ctl.batch)
		fprintf(stderr, "%s:%u: ", ctl.batch, ctl.line);
	if (loss_tell(stderr))
		return;
	if (command && *ctl.object)
		fprintf(stderr, "%s%s%s: ", ctl.object,
			*ctl.command ? " " : "", ctl.command);
}

static void message(bool command, const char *format, va_list values)
{
	message_begin(command);
	vfprintf(stderr, format, values);
	fputc('\n', stderr);
}

int refused(const char *format, ...)
{
	va_list values;

	va_start(values, format);
	message(true, format, values);
	va_end(values);
	return REFUSED;
}

int usage(const char *format, ...)
{
	va_list values;

	va_start(values, format);
	message(true, format, values);
	va_end(values);
	return USAGE;
}

int no_memory(void)
{
	return refused("not enough memory");
}

int refused_object(const char *format, ...)
{
	va_list values;

	va_start(values, format);
	message(false, format, values);
	va_end(values);
	return REFUSED;
}

void remark(const char *format, ...)
{
	va_list values;

	if (ctl.json || ctl.oneline)
		return;
	fputs("note: ", stdout);
	va_start(values, format);
	vprintf(format, values);
	va_end(values);
	putchar('\n');
}

void advise(const char *format, ...)
{
	va_list values;

	fflush(stdout);
	fputs("seenctl: note: ", stderr);
	va_start(values, format);
	vfprintf(stderr, format, values);
	va_end(values);
	fputc('\n', stderr);
}
