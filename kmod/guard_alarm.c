// SPDX-License-Identifier: GPL-2.0
/*
 * Alarms: the rate of duplicates, or hits, on a port. Changes of the state are reported.
 *
 *	calm ----> suspect ----> storm
 *	     first         rate >= N
 *
 * A storm becomes suspect again below half of N, and a port becomes calm after a second
 * without duplicates, but not within a second of the last change. So each state is reported
 * at most once per second. N is the guard's storm rate in duplicates per second; it does not
 * depend on the port's other traffic. While the port is not calm, the guard's work takes four
 * samples per second; a packet only sets the bit that wakes the work.
 */
#include "guard_port.h"

#define SECOND		NSEC_PER_SEC
/* Time between two samples; the samples together cover a second. */
#define SAMPLE		(SECOND / SEEN_ALARM_SAMPLES)

static u64 alarm_duplicates(const struct seen_port *port)
{
	return seen_port_sum(port, SEEN_COUNT_DUP_SAME) +
	       seen_port_sum(port, SEEN_COUNT_DUP_OTHER) +
	       seen_port_sum(port, SEEN_COUNT_HIT) +
	       seen_port_sum(port, SEEN_COUNT_TRAIL_LOOP);
}

static void alarm_tell(struct seen_port *port, u64 total,
		       const struct seen_sighting *last)
{
	static const u8 cmds[] = {
		[SEEN_ALARM_CALM] = SEEN_CMD_CALM_NTF,
		[SEEN_ALARM_SUSPECT] = SEEN_CMD_SUSPECT_NTF,
		[SEEN_ALARM_STORM] = SEEN_CMD_STORM_NTF,
	};
	const struct seen_port_alarm *alarm = &port->alarm;
	struct seen_event event = seen_port_event(port, cmds[alarm->state]);

	event.count = total - alarm->base;
	event.duration = last->when - alarm->began;
	event.rate = alarm->rate;
	event.peak = alarm->peak;
	seen_port_tell_sighting(port, last, &event);
}

static void alarm_set_rate(struct seen_port_alarm *alarm, u64 rate)
{
	WRITE_ONCE(alarm->rate, rate);
	if (rate > alarm->peak)
		WRITE_ONCE(alarm->peak, rate);
}

static void alarm_begin(struct seen_port *port, const struct seen_sighting *last,
			u64 total, u64 now)
{
	struct seen_port_alarm *alarm = &port->alarm;
	int i;

	for (i = 0; i < SEEN_ALARM_SAMPLES; i++)
		alarm->sample[i] = (struct seen_alarm_sample) {
			.total = alarm->base, .when = last->when,
		};
	alarm->began = last->when;
	alarm->changed = now;
	alarm->sampled = now;
	WRITE_ONCE(alarm->state, SEEN_ALARM_SUSPECT);
	WRITE_ONCE(alarm->peak, 0);
	alarm_set_rate(alarm, total - alarm->base);
	alarm_tell(port, total, last);
}

static u64 alarm_newest_total(const struct seen_port_alarm *alarm)
{
	u32 newest = (alarm->next + SEEN_ALARM_SAMPLES - 1) % SEEN_ALARM_SAMPLES;

	return alarm->sample[newest].total;
}

/* If the work was late, the oldest sample is older than a second. */
static void alarm_take_sample(struct seen_port_alarm *alarm, u64 total, u64 now,
			      bool quiet)
{
	struct seen_alarm_sample *oldest = &alarm->sample[alarm->next];
	u64 span = max(now - oldest->when, SECOND);

	alarm_set_rate(alarm, quiet ? 0 : (total - oldest->total) * SECOND / span);
	oldest->total = total;
	oldest->when = now;
	alarm->next = (alarm->next + 1) % SEEN_ALARM_SAMPLES;
	alarm->sampled = now;
}

static u32 alarm_next_state(const struct seen_port_alarm *alarm, u64 storm, bool quiet,
			    u64 now)
{
	if (alarm->rate >= storm)
		return SEEN_ALARM_STORM;
	if (now - alarm->changed < SECOND)
		return alarm->state;
	if (quiet)
		return SEEN_ALARM_CALM;
	return 2 * alarm->rate < storm ? SEEN_ALARM_SUSPECT : alarm->state;
}

static void alarm_change(struct seen_port *port, u32 state,
			 const struct seen_sighting *last, u64 now)
{
	struct seen_port_alarm *alarm = &port->alarm;
	u64 total;

	/*
	 * A duplicate that arrives after this begins the next alarm. One that arrives at this
	 * moment may be reported with the next alarm: packets use no barrier here.
	 */
	if (state == SEEN_ALARM_CALM)
		clear_bit(SEEN_TELL_ALARM, &port->events);
	total = alarm_duplicates(port);
	alarm->changed = now;
	WRITE_ONCE(alarm->state, state);
	alarm_tell(port, total, last);
	if (state == SEEN_ALARM_CALM)
		alarm->base = total;
}

/*
 * The duplicate that an alarm reports. For a second a duplicate that was first seen on another
 * port is preferred, because it names both ports of the loop.
 */
static struct seen_sighting alarm_last(struct seen_port *port)
{
	struct seen_sighting other = seen_port_last(port, true);
	struct seen_sighting last = seen_port_last(port, false);

	return other.when && other.when + SECOND > last.when ? other : last;
}

/*
 * If the work was late, a storm may have begun and ended since the newest sample. The port is not
 * quiet then, so that the storm is reported.
 */
static bool alarm_quiet(struct seen_port *port, u64 total, u64 now)
{
	u64 when = max(seen_port_last(port, true).when,
		       seen_port_last(port, false).when);

	return when + SECOND <= now && total == alarm_newest_total(&port->alarm);
}

u64 seen_port_alarm(struct seen_port *port)
{
	struct seen_port_alarm *alarm = &port->alarm;
	struct seen_sighting last;
	u64 now, total;
	bool quiet;
	u32 state;

	if (!test_bit(SEEN_TELL_ALARM, &port->events))
		return SEEN_NEVER;
	last = alarm_last(port);
	now = seen_now();
	total = alarm_duplicates(port);
	if (alarm->state == SEEN_ALARM_CALM)
		alarm_begin(port, &last, total, now);
	if (now - alarm->sampled < SAMPLE)
		return alarm->sampled + SAMPLE;
	quiet = alarm_quiet(port, total, now);
	alarm_take_sample(alarm, total, now, quiet);
	state = alarm_next_state(alarm, READ_ONCE(port->guard->config.storm),
				 quiet, now);
	if (state != alarm->state)
		alarm_change(port, state, &last, now);
	return state == SEEN_ALARM_CALM ? SEEN_NEVER : now + SAMPLE;
}

void seen_port_alarm_end(struct seen_port *port)
{
	struct seen_sighting last = alarm_last(port);

	if (port->alarm.state == SEEN_ALARM_CALM)
		return;
	alarm_change(port, SEEN_ALARM_CALM, &last, seen_now());
	WRITE_ONCE(port->alarm.rate, 0);
}
