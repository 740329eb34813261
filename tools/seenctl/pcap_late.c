// SPDX-License-Identifier: GPL-2.0
/*
 * libpcap, loaded by the first call of it. It brings a dozen libraries of its own, whose
 * loading is half the time that any other command takes.
 */
#include <dlfcn.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>

#include "pcap_late.h"
#include "pcap_soname.h"
#include "seenctl.h"

static void *library;

int pcap_ready(void)
{
	if (!library)
		library = dlopen(PCAP_SONAME, RTLD_NOW);
	return library ? DONE : refused("captures need libpcap: %s", dlerror());
}

/* All that is asked for has been in it for long. */
static void *address(const char *name)
{
	void *found = library ? dlsym(library, name) : NULL;

	if (found)
		return found;
	fprintf(stderr, "seenctl: %s is no libpcap: %s\n", PCAP_SONAME, name);
	abort();
}

#define LATE(name)				\
({						\
	static typeof(name) *late;		\
						\
	if (!late)				\
		late = address(#name);		\
	late;					\
})

pcap_t *pcap_fopen_offline(FILE *file, char *error)
{
	return LATE(pcap_fopen_offline)(file, error);
}

pcap_t *pcap_fopen_offline_with_tstamp_precision(FILE *file, u_int precision,
						 char *error)
{
	return LATE(pcap_fopen_offline_with_tstamp_precision)(file, precision,
							     error);
}

int pcap_next_ex(pcap_t *in, struct pcap_pkthdr **head, const u_char **bytes)
{
	return LATE(pcap_next_ex)(in, head, bytes);
}

int pcap_datalink(pcap_t *in)
{
	return LATE(pcap_datalink)(in);
}

const char *pcap_datalink_val_to_name(int type)
{
	return LATE(pcap_datalink_val_to_name)(type);
}

int pcap_get_tstamp_precision(pcap_t *in)
{
	return LATE(pcap_get_tstamp_precision)(in);
}

FILE *pcap_file(pcap_t *in)
{
	return LATE(pcap_file)(in);
}

char *pcap_geterr(pcap_t *in)
{
	return LATE(pcap_geterr)(in);
}

void pcap_close(pcap_t *in)
{
	LATE(pcap_close)(in);
}

pcap_dumper_t *pcap_dump_fopen(pcap_t *in, FILE *file)
{
	return LATE(pcap_dump_fopen)(in, file);
}

void pcap_dump(u_char *out, const struct pcap_pkthdr *head, const u_char *bytes)
{
	LATE(pcap_dump)(out, head, bytes);
}

FILE *pcap_dump_file(pcap_dumper_t *out)
{
	return LATE(pcap_dump_file)(out);
}

int pcap_dump_flush(pcap_dumper_t *out)
{
	return LATE(pcap_dump_flush)(out);
}

void pcap_dump_close(pcap_dumper_t *out)
{
	LATE(pcap_dump_close)(out);
}
