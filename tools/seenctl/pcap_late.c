// SPDX-License-Identifier: GPL-2.0
/*
 * libpcap, loaded by the first call of it. It brings a dozen libraries of its own, whose
 * loading is half the time that any other command takes.
 */
#include <dlfcn.h>
#include <pcap/pcap.h>
#include <stdlib.h>

#include "pcap_soname.h"
#include "seenctl.h"

static void *address(const char *name)
{
	static void *library;
	void *found;

	if (!library)
		library = dlopen(PCAP_SONAME, RTLD_NOW);
	found = library ? dlsym(library, name) : NULL;
	if (found)
		return found;
	refused("captures need libpcap: %s", dlerror());
	exit(REFUSED);
}

#define LATE(type, name, parameters, arguments)				\
type name parameters							\
{									\
	static typeof(name) *late;					\
									\
	if (!late)							\
		late = address(#name);					\
	return late arguments;						\
}

LATE(pcap_t *, pcap_fopen_offline, (FILE *file, char *error), (file, error))
LATE(pcap_t *, pcap_fopen_offline_with_tstamp_precision,
     (FILE *file, u_int precision, char *error), (file, precision, error))
LATE(int, pcap_next_ex, (pcap_t *in, struct pcap_pkthdr **head, const u_char **bytes),
     (in, head, bytes))
LATE(int, pcap_datalink, (pcap_t *in), (in))
LATE(const char *, pcap_datalink_val_to_name, (int type), (type))
LATE(int, pcap_get_tstamp_precision, (pcap_t *in), (in))
LATE(FILE *, pcap_file, (pcap_t *in), (in))
LATE(char *, pcap_geterr, (pcap_t *in), (in))
LATE(void, pcap_close, (pcap_t *in), (in))
LATE(pcap_dumper_t *, pcap_dump_fopen, (pcap_t *in, FILE *file), (in, file))
LATE(void, pcap_dump, (u_char *out, const struct pcap_pkthdr *head, const u_char *bytes),
     (out, head, bytes))
LATE(FILE *, pcap_dump_file, (pcap_dumper_t *out), (out))
LATE(int, pcap_dump_flush, (pcap_dumper_t *out), (out))
LATE(void, pcap_dump_close, (pcap_dumper_t *out), (out))
