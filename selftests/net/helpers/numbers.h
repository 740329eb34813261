/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the helpers: numbered keys and frames, CPUs, a barrier. */
#ifndef NUMBERS_H
#define NUMBERS_H

#include <stdint.h>

#include "libseen.h"

/* Bytes of a numbered key: a filter with "key bytes" takes it. */
#define NUMBER_BYTES	8
/* Bytes of a numbered frame. */
#define FRAME_BYTES	60

/**
 * struct barrier - processes wait for each other; in shared memory
 * @arrived: number of arrivals, summed over all rounds
 */
struct barrier {
	uint32_t arrived;
};

/* barrier_wait() - arrive, and wait until all @parties have arrived @round + 1 times */
void barrier_wait(struct barrier *barrier, uint32_t parties, uint32_t round);

/* barrier_rest() - as barrier_wait(), but sleeps between checks, unless rest_times() is 0 */
void barrier_rest(struct barrier *barrier, uint32_t parties, uint32_t round);

/* shared_alloc() - zeroed memory that children share; never fails */
void *shared_alloc(size_t size);

/* pin() - run on the @index-th of the allowed CPUs, round robin */
void pin(unsigned int index);

/* reap() - wait for @count children; false if one did not end with 0 */
bool reap(unsigned int count);

/* fatal() - print @what, and errno's text if it is not 0, and exit */
void fatal(const char *what) __attribute__((noreturn));

/* number() - a whole number from the command line */
uint64_t number(const char *text);

/* rest_times() - REST from the environment, or 0 */
uint32_t rest_times(void);

/* rest() - sleep rest_times() times the CPU time used since the last call */
void rest(void);

/* rest_for() - sleep, or return early at a signal */
void rest_for(double seconds);

/* now() - seconds of a monotonic clock */
double now(void);

/* meminfo_bytes() - a line of /proc/meminfo, such as "MemAvailable" */
uint64_t meminfo_bytes(const char *name);

/* connect_seen() - connect a client; exits on failure */
struct seen_client *connect_seen(void);

/* keys_fill() - keys numbered @first to @first + @count - 1, as one request */
void keys_fill(struct seen_keys *keys, uint64_t first, uint32_t count);

/* frame_fill() - FRAME_BYTES of a broadcast frame numbered @n */
void frame_fill(uint8_t *frame, uint64_t n);

/* packet_socket() - a raw socket that receives nothing */
int packet_socket(void);

#endif
