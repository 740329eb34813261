/* SPDX-License-Identifier: GPL-2.0 */
/* What duplicates do on a port; guard_alarm.c. */
#ifndef SEEN_GUARD_ALARM_H
#define SEEN_GUARD_ALARM_H

#include <linux/types.h>

struct seen_port;

/* Duplicates within a second on a port that are a storm, unless told. */
#define SEEN_STORM		100
/* In a second, while there is an alarm. */
#define SEEN_ALARM_SAMPLES	4

/* struct seen_alarm_sample - duplicates of a port up to a time of seen_now() */
struct seen_alarm_sample {
	u64 total;
	u64 when;
};

/**
 * struct seen_port_alarm - what duplicates do on a port; written by the guard's work
 * @state: enum seen_alarm
 * @next: the oldest sample
 * @rate: duplicates in the last second
 * @peak: the most of that since it was calm
 * @base: duplicates counted when it was calm last
 * @began: seen_now() when it was calm no more
 * @changed: seen_now() when @state changed last
 * @sampled: seen_now() at the last sample
 * @sample: the last ones
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

/* seen_port_alarm() - look at it, tell; when to look again, or SEEN_NEVER */
u64 seen_port_alarm(struct seen_port *port);
/* seen_port_alarm_end() - no duplicate comes any more: tell the end */
void seen_port_alarm_end(struct seen_port *port);

#endif
