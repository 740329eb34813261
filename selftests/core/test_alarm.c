// SPDX-License-Identifier: GPL-2.0
/*
 * The alarm of a port, when the guard's work runs in time and when it is late. The module's
 * own files run under a fake kernel; the test calls the work.
 */
#include "../../kmod/guard_port.h"
#include "../fake/fake.h"
#include "../fake/module.h"
#include "test.h"

#define STORM		100	/* duplicates per second */
#define SAMPLE		(SECOND / SEEN_ALARM_SAMPLES)

static struct seen_guard guard;
static struct seen_port port;
static struct seen_port_stats stats;
static struct seen_binding binding;

void *xa_load(struct xarray *xa, unsigned long index)
{
	return index == port.number ? &port : NULL;
}

static void begin(void)
{
	clock_add(100 * SECOND);
	fake_sn_begin();
	memset(&guard, 0, sizeof(guard));
	memset(&port, 0, sizeof(port));
	memset(&stats, 0, sizeof(stats));
	guard.sn = &fake_sn;
	guard.binding = &binding;
	guard.config.storm = STORM;
	port.sn = &fake_sn;
	port.guard = &guard;
	port.number = 1;
	port.stats = &stats;
	port.alarm.state = SEEN_ALARM_CALM;
	spin_lock_init(&port.last_lock);
}

static void end(void)
{
	fake_cancel_work(&guard.work.work);
}

static void duplicates(u32 count)
{
	const struct seen_link link = { };

	while (count--) {
		seen_port_count(&port, SEEN_COUNT_DUP_SAME);
		seen_port_saw(&port, &link, port.number);
	}
}

/* Return: the event that the work sends, or 0. */
static u8 work_after(u64 ns)
{
	u32 before = fake_events;

	clock_add(ns);
	seen_port_alarm(&port);
	return fake_events == before ? 0 : fake_event.cmd;
}

static void in_time(void)
{
	begin();
	duplicates(1);
	ok(work_after(0) == SEEN_CMD_SUSPECT_NTF && fake_event.count == 1,
	   "after a duplicate a port is suspect");
	duplicates(STORM - 2);
	ok(!work_after(SAMPLE), "fewer than the storm rate are no storm");
	duplicates(1);
	ok(work_after(SAMPLE) == SEEN_CMD_STORM_NTF && fake_event.rate == STORM,
	   "the storm rate is a storm");
	ok(!work_after(SAMPLE) && !work_after(SAMPLE) && !work_after(SAMPLE),
	   "within a second the state does not change back");
	ok(work_after(SAMPLE) == SEEN_CMD_CALM_NTF && fake_event.count == STORM &&
	   !fake_event.rate && fake_event.peak == STORM,
	   "after a second without duplicates it is calm");
	ok(!work_after(SECOND), "that is reported once");
	end();
}

/* A machine in a storm may have no time for the work until the storm is over. */
static void overdue(void)
{
	begin();
	duplicates(1);
	work_after(0);
	duplicates(5 * STORM - 1);
	ok(work_after(2 * SECOND) == SEEN_CMD_STORM_NTF && fake_event.count == 5 * STORM,
	   "a storm that is over before the next sample is reported");
	ok(fake_event.rate == 5 * STORM / 2, "with the rate since the sample before it");
	ok(work_after(SECOND) == SEEN_CMD_CALM_NTF && fake_event.peak == 5 * STORM / 2,
	   "and then its end");
	end();

	begin();
	duplicates(5 * STORM);
	ok(work_after(2 * SECOND) == SEEN_CMD_SUSPECT_NTF,
	   "after a storm that is over before the first sample a port is suspect");
	ok(work_after(SAMPLE) == SEEN_CMD_STORM_NTF && fake_event.count == 5 * STORM,
	   "such a storm is reported, too");
	ok(work_after(SECOND) == SEEN_CMD_CALM_NTF, "and then its end");
	end();

	begin();
	duplicates(1);
	work_after(0);
	duplicates(STORM);
	ok(!work_after(2 * SECOND) && work_after(SAMPLE) == SEEN_CMD_CALM_NTF,
	   "if the work was so late that the rate is below a storm's, it reports calm alone");
	end();
}

int main(void)
{
	test_begin(13);
	in_time();
	overdue();
	return test_end();
}
