/* SPDX-License-Identifier: GPL-2.0 */
/* What the helpers share: numbered keys and frames, CPUs, a barrier. */
#ifndef NUMBERS_H
#define NUMBERS_H

#include <stdint.h>

#include "libseen.h"

/* Bytes of a numbered key: a filter with "key bytes" takes it. */
#define NUMBER_BYTES	8
/* Bytes of a numbered frame. */
#define FRAME_BYTES	60

/**
 * struct barrier - where processes wait for each other, in shared memory
 * @arrived: how many, in all rounds together
 */
struct barrier {
	uint32_t arrived;
};

/* barrier_wait() - until all of @parties have come @round + 1 times */
void barrier_wait(struct barrier *barrier, uint32_t parties, uint32_t round);

/* barrier_rest() - the same; where programs rest, they nap, and need not go on at once */
void barrier_rest(struct barrier *barrier, uint32_t parties, uint32_t round);

/* shared_alloc() - zeroed memory that children share; never fails */
void *shared_alloc(size_t size);

/* pin() - to the CPU number @index of those allowed, round robin */
void pin(unsigned int index);

/* reap() - wait for @count children; false if one did not end with 0 */
bool reap(unsigned int count);

/* fatal() - say why, with the error number's text if there is one, and end */
void fatal(const char *what) __attribute__((noreturn));

/* number() - a whole number from the command line */
uint64_t number(const char *text);

/* rest_times() - REST of the environment, 0 where it is not there */
uint32_t rest_times(void);

/* rest() - rest_times() as long as this process has used a CPU since it last did */
void rest(void);

/* rest_for() - or until a signal comes */
void rest_for(double seconds);

/* now() - seconds of a clock that never goes back */
double now(void);

/* meminfo_bytes() - a line of /proc/meminfo, such as "MemAvailable" */
uint64_t meminfo_bytes(const char *name);

/* connect_seen() - a client, or the end */
struct seen_client *connect_seen(void);

/* keys_fill() - keys numbered @first to @first + @count - 1, as one request */
void keys_fill(struct seen_keys *keys, uint64_t first, uint32_t count);

/* frame_fill() - FRAME_BYTES of a broadcast frame numbered @n */
void frame_fill(uint8_t *frame, uint64_t n);

/* packet_socket() - a raw socket that receives nothing */
int packet_socket(void);

#endif
