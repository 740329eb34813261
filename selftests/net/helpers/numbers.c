// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <arpa/inet.h>
#include <net/ethernet.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "numbers.h"

/* Of the IEEE, for local experiments. */
#define ETHERTYPE_LOCAL	0x88b5

void fatal(const char *what)
{
	if (errno)
		fprintf(stderr, "%s: %s\n", what, strerror(errno));
	else
		fprintf(stderr, "%s\n", what);
	exit(3);
}

uint64_t number(const char *text)
{
	unsigned long long value;
	char *end;

	errno = 0;
	value = strtoull(text, &end, 0);
	if (errno || end == text || *end)
		fatal(text);
	return value;
}

static double cpu_time(void)
{
	struct timespec at;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
	return at.tv_sec + at.tv_nsec * 0.000000001;
}

uint32_t rest_times(void)
{
	static int64_t times = -1;

	if (times < 0)
		times = getenv("REST") ? number(getenv("REST")) : 0;
	return times;
}

void rest_for(double seconds)
{
	struct timespec span = {
		.tv_sec = seconds,
		.tv_nsec = (seconds - (time_t)seconds) * 1e9,
	};

	nanosleep(&span, NULL);
}

void rest(void)
{
	static double last;
	double at;

	if (!rest_times())
		return;
	at = cpu_time();
	/* In a child the CPU time begins at 0 again. */
	if (at > last)
		rest_for((at - last) * rest_times());
	last = at;
}

static bool barrier_is_open(const struct barrier *barrier, uint32_t parties,
			    uint32_t round)
{
	return __atomic_load_n(&barrier->arrived, __ATOMIC_ACQUIRE) >=
	       parties * (round + 1);
}

void barrier_wait(struct barrier *barrier, uint32_t parties, uint32_t round)
{
	__atomic_add_fetch(&barrier->arrived, 1, __ATOMIC_ACQ_REL);
	while (!barrier_is_open(barrier, parties, round))
		sched_yield();
}

void barrier_rest(struct barrier *barrier, uint32_t parties, uint32_t round)
{
	__atomic_add_fetch(&barrier->arrived, 1, __ATOMIC_ACQ_REL);
	while (!barrier_is_open(barrier, parties, round))
		rest_times() ? rest_for(0.001) : (void)sched_yield();
}

double now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return at.tv_sec + at.tv_nsec * 0.000000001;
}

void *shared_alloc(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		fatal("mmap");
	return memory;
}

static int pick_cpu(unsigned int index)
{
	cpu_set_t allowed;
	int cpu;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		fatal("sched_getaffinity");
	index %= CPU_COUNT(&allowed);
	for (cpu = 0; index || !CPU_ISSET(cpu, &allowed); cpu++)
		index -= CPU_ISSET(cpu, &allowed);
	return cpu;
}

void pin(unsigned int index)
{
	cpu_set_t one;
	int err;

	/* The one that was picked may be unplugged before it is asked for. */
	do {
		CPU_ZERO(&one);
		CPU_SET(pick_cpu(index), &one);
		err = sched_setaffinity(0, sizeof(one), &one);
	} while (err && errno == EINVAL);
	if (err)
		fatal("sched_setaffinity");
}

bool reap(unsigned int count)
{
	bool clean = true;
	int status;

	while (count--)
		if (wait(&status) < 0 || status)
			clean = false;
	return clean;
}

uint64_t meminfo_bytes(const char *name)
{
	FILE *file = fopen("/proc/meminfo", "r");
	size_t len = strlen(name);
	char line[128];
	uint64_t kib;

	while (file && fgets(line, sizeof(line), file)) {
		if (strncmp(line, name, len) || line[len] != ':')
			continue;
		kib = strtoull(line + len + 1, NULL, 10);
		fclose(file);
		return kib << 10;
	}
	fatal("/proc/meminfo");
}

struct seen_client *connect_seen(void)
{
	struct seen_client *client;

	errno = 0;
	if (seen_open(&client)) {
		errno = 0;
		fatal(seen_error(client));
	}
	return client;
}

void keys_fill(struct seen_keys *keys, uint64_t first, uint32_t count)
{
	uint8_t *at;
	uint32_t i;
	int byte;

	keys->count = 0;
	keys->size = 0;
	for (i = 0; i < count; i++) {
		at = seen_keys_reserve(keys, NUMBER_BYTES);
		if (!at)
			fatal("too many keys in a request");
		for (byte = 0; byte < NUMBER_BYTES; byte++)
			at[byte] = (first + i) >> (56 - 8 * byte);
		seen_keys_commit(keys, NUMBER_BYTES);
	}
}

void frame_fill(uint8_t *frame, uint64_t n)
{
	static const uint8_t source[ETH_ALEN] = { 2, 0, 0, 0, 0xee, 1 };
	struct ether_header header;
	int byte;

	memset(frame, 0, FRAME_BYTES);
	memset(header.ether_dhost, 0xff, ETH_ALEN);
	memcpy(header.ether_shost, source, ETH_ALEN);
	header.ether_type = htons(ETHERTYPE_LOCAL);
	memcpy(frame, &header, sizeof(header));
	for (byte = 0; byte < NUMBER_BYTES; byte++)
		frame[sizeof(header) + byte] = n >> (56 - 8 * byte);
}

int packet_socket(void)
{
	int fd = socket(AF_PACKET, SOCK_RAW, 0);

	if (fd < 0)
		fatal("packet socket");
	return fd;
}
