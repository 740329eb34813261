/* SPDX-License-Identifier: GPL-2.0 */
/* Alarms about the rate of duplicates on a port; see guard_alarm.c. */
#ifndef SEEN_GUARD_ALARM_H
#define SEEN_GUARD_ALARM_H

#include <linux/types.h>

struct seen_port;

/* Default storm rate: duplicates per second on a port. */
#define SEEN_STORM		100
/* Samples per second, while a port is not calm. */
#define SEEN_ALARM_SAMPLES	4

/* struct seen_alarm_sample - total number of duplicates on a port at a time of seen_now() */
struct seen_alarm_sample {
	u64 total;
	u64 when;
};

/**
 * struct seen_port_alarm - alarm of a port; written by the guard's work
 * @state: enum seen_alarm
 * @next: index of the oldest sample
 * @rate: duplicates in the last second
 * @peak: maximum of @rate since the port was last calm
 * @base: number of duplicates counted when the port was last calm
 * @began: seen_now() at the duplicate that ended the calm
 * @changed: seen_now() at the last change of @state
 * @sampled: seen_now() at the last sample
 * @sample: ring buffer of samples
 */
struct seen_port_alarm {
	u32 state;
	u32 next;
	u64 rate;
	u64 peak;
	u64 base;
	u64 began;
	u64 changed;
	u64 sampled;
	struct seen_alarm_sample sample[SEEN_ALARM_SAMPLES];
};

/*
 * seen_port_alarm() - update the alarm and report a change of its state. Returns when to call
 * it again, or SEEN_NEVER.
 */
u64 seen_port_alarm(struct seen_port *port);
/* seen_port_alarm_end() - report the end of an alarm, because the port is being deleted */
void seen_port_alarm_end(struct seen_port *port);

#endif
