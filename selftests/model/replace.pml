/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A filter is replaced, and another one deleted, while packets and their works use
 * them: registry.c, filter.c.
 *
 * Two slots point to filters. A packet enters an RCU section, loads its slot's
 * pointer, looks into the filter and may queue its work. A command installs
 * others. What is unpublished is marked, and handed to a work item that runs after
 * a grace period: it stops the filter's works and frees it. The sweep queues
 * itself again until the filter is marked. The module ends when there is nothing.
 *
 * Memory: the contents of a filter and the pointer to it are stores that the CPU
 * may make visible in any order but for rcu_assign_pointer()'s release; so the
 * publication is two steps, in the other order where nothing forbids it.
 *
 * Each line of code that a step stands for is quoted behind "code:", with its
 * file; the test looks whether it is still there.
 *
 * Invariants, as assertions
 *  - whatever a packet finds is whole, and is not freed while the packet is in it;
 *  - no work runs on a filter that was freed, and none is queued then;
 *  - each filter that was unpublished is freed, once, in the end;
 *  - a swap leaves a filter under each name at every moment.
 *
 * Mutants: NO_GRACE frees at once; NO_RELEASE publishes before the filter is whole;
 * NO_CANCEL frees without waiting for the works; NO_DYING leaves the sweep queueing
 * itself; NO_READER looks outside of the RCU section; EMPTY_SWAP takes the filters
 * out of their slots before it puts them in again; NO_BARRIER ends the module
 * without waiting for what was handed to RCU.
 */
#ifndef READERS
#define READERS 2
#endif
#define SLOTS 2
#define FILTERS 3
#define NONE 255

byte slot[SLOTS];	/* the filter, or NONE */
bool whole[FILTERS];	/* its memory is written */
bool dying[FILTERS];
bool freed[FILTERS];
byte using[FILTERS];	/* works that run on it */
bool queued[FILTERS];	/* the event work */
bool sweeps[FILTERS];	/* the sweep is queued */
bool to_free[FILTERS];	/* handed to a work item after a grace period */
byte in_section[READERS];	/* readers' RCU sections: how many they have begun */
bool inside[READERS];
bool commands_done;
bool packets_done;
byte readers_left = READERS;

inline publish(s, f)
{
#ifdef NO_RELEASE
	if
	:: slot[s] = f; whole[f] = true
	:: whole[f] = true; slot[s] = f
	fi
#else
	whole[f] = true;
	/* code: kmod/registry.c: rcu_assign_pointer(slot->filter, filter); */
	slot[s] = f
#endif
}

/* The grace period: each section that had begun ends. */
inline synchronize_rcu()
{
	byte r, seen_section[READERS];
	d_step {
		r = 0;
		do
		:: r < READERS ->
			seen_section[r] = in_section[r];
			r++
		:: else -> break
		od;
		r = 0
	}
	do
	:: r < READERS ->
		(!inside[r] || in_section[r] != seen_section[r]);
		r++
	:: else -> break
	od
}

inline destroy(f)
{
#ifndef NO_DYING
	/* code: kmod/filter.c: WRITE_ONCE(filter->dying, true); */
	dying[f] = true;
#endif
	/* code: kmod/filter.c: queue_rcu_work(seen_wq, &filter->free_work); */
	to_free[f] = true
}

/* A packet, again and again. */
active [READERS] proctype packet()
{
	byte f, n;

	do
	:: n < 2 ->
		n++;
#ifndef NO_READER
		/* code: kmod/guard.c: rcu_read_lock */
		d_step { in_section[_pid]++; inside[_pid] = true }
#endif
		f = slot[_pid % SLOTS];
		if
		:: f != NONE ->
			assert(whole[f]);
			assert(!freed[f]);
			/* code: kmod/filter.c: queue_work(seen_wq, &filter->event_work); */
			if
			:: queued[f] = true
			:: skip
			fi;
			assert(!freed[f])
		:: else -> skip
		fi;
		inside[_pid] = false
	:: n >= 1 -> break
	od;
	readers_left--
}

/* Works of the filters run, in any order. */
active proctype works()
{
	byte f;

	do
	:: atomic { queued[0] -> f = 0; queued[0] = false; using[0]++ }
		assert(!freed[f]); using[f]--
	:: atomic { queued[1] -> f = 1; queued[1] = false; using[1]++ }
		assert(!freed[f]); using[f]--
	:: atomic { queued[2] -> f = 2; queued[2] = false; using[2]++ }
		assert(!freed[f]); using[f]--
	:: timeout -> break
	od
}
