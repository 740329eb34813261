/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Filters are replaced, swapped and deleted, and the namespace ends, while packets
 * and works use them.
 *
 * A packet enters an RCU section, loads its slot's pointer, looks into the filter
 * and may queue its work. A command exchanges the first slot's filter for a new
 * one, swaps the two slots, and at the end of the namespace deletes both. What is
 * unpublished is marked, and handed to a work item that runs after a grace period:
 * it waits for the filter's own works and frees it. The sweep queues itself again
 * until the filter is marked.
 *
 * Memory: the stores that make a new filter, and the one that publishes it, become
 * visible in any order unless a release keeps them in this one. (A pointer that was
 * loaded orders what is read through it, on every CPU that Linux runs on.)
 *
 * "code:" quotes the line that the next step stands for, as it is in its file.
 *
 * Invariants
 *  - what a packet, a work or the sweep uses is whole, and not freed meanwhile;
 *  - between the first and the last command no slot is without a filter;
 *  - when the module goes, nothing is left: each filter freed, once, no work.
 *
 * Mutants: -DNO_GRACE frees without a grace period, -DNO_RELEASE publishes in any
 * order, -DNO_CANCEL does not wait for works,
 * -DNO_SECTION looks outside of an RCU section, -DEMPTY_SWAP empties a slot for a
 * moment, -DNO_BARRIER lets the module go with works handed to RCU.
 */
#ifndef PACKETS
#define PACKETS 2
#endif
#ifndef LOOKS
#define LOOKS 2		/* packets that each of them stands for */
#endif
#define FILTERS 3	/* 0 and 1 are there at the beginning, 2 is the new one */
#define NONE 3

byte slot[2] = { 0, 1 };
bool whole[FILTERS], marked[FILTERS], freed[FILTERS];
byte uses[FILTERS];		/* event works that run */
bool sweeping[FILTERS];		/* the sweep runs */
bool queued[FILTERS];		/* the event work is */
bool due[FILTERS];		/* the sweep is queued */
bool canceling[FILTERS];	/* the sweep is not queued while it is waited for */
bool handed[FILTERS];		/* to free_work, after a grace period */
bool inside[PACKETS];
byte sections[PACKETS];		/* that were begun */
bool settled;			/* both slots are to have a filter */
byte packets = PACKETS;
bool gone;			/* the module */

inline use(f)
{
	assert(whole[f] && !freed[f] && !gone)
}

proctype packet(byte me)
{
	byte f, n;

	do
	:: n < LOOKS ->
		n++;
#ifndef NO_SECTION
		/* code: kmod/guard_dev.c: rcu_read_lock(); */
		atomic { sections[me]++; inside[me] = true }
#endif
		/* code: kmod/rule.c: struct seen_filter *filter = rcu_dereference(slot->filter); */
		atomic { f = slot[me % 2]; assert(!settled || f != NONE) }
		if
		:: f == NONE
		:: f != NONE ->
			use(f);
			/* code: kmod/filter.c: queue_work(seen_wq, &filter->event_work); */
			if
			:: atomic { use(f); queued[f] = true }
			:: skip
			fi
		fi;
		/* code: kmod/guard_dev.c: rcu_read_unlock(); */
		atomic { inside[me] = false; f = NONE }
	:: else -> break
	od;
	packets--
}

/* The works of a filter. */
proctype works(byte f)
{
end:	do
	:: atomic { queued[f] -> queued[f] = false; uses[f]++ };
		use(f);
		uses[f]--
	:: atomic { due[f] -> due[f] = false; sweeping[f] = true };
		use(f);
		/* code: kmod/sweep.c: if (READ_ONCE(filter->dying)) */
		if
		:: marked[f]
		/* code: kmod/sweep.c: queue_delayed_work(seen_sweep_wq, &filter->sweep_work, */
		:: !marked[f] -> due[f] = !canceling[f]
		fi;
		sweeping[f] = false
	od
}

/* What is handed to RCU, and later runs and frees. */
proctype free_work(byte f)
{
	byte r, since[PACKETS];

	handed[f];
#ifndef NO_GRACE
	d_step {
		do
		:: r < PACKETS ->
			since[r] = (inside[r] -> sections[r] : 0);
			r++
		:: else -> break
		od;
		r = 0
	}
	do
	:: r < PACKETS ->
		(!inside[r] || !since[r] || sections[r] != since[r]);
		r++
	:: else -> break
	od;
#endif
#ifndef NO_CANCEL
	/* code: kmod/filter.c: cancel_delayed_work_sync(&filter->sweep_work); */
	atomic { canceling[f] = true; due[f] = false };
	!sweeping[f];
	/* code: kmod/filter.c: cancel_work_sync(&filter->event_work); */
	queued[f] = false;
	!uses[f];
#endif
	/* code: kmod/filter.c: kfree_sensitive(filter); */
	atomic {
		assert(!freed[f] && !gone);
		assert(!queued[f] && !due[f] && !uses[f] && !sweeping[f]);
		freed[f] = true
	}
}

/* code: kmod/filter.c: void seen_filter_destroy(struct seen_filter *filter) */
inline destroy(f)
{
	/* code: kmod/filter.c: WRITE_ONCE(filter->dying, true); */
	marked[f] = true;
	/* code: kmod/filter.c: queue_rcu_work(seen_wq, &filter->free_work); */
	handed[f] = true
}

/* code: kmod/registry.c: rcu_assign_pointer(slot->filter, filter); */
inline install(s, f)
{
#ifdef NO_RELEASE
	if
	:: whole[f] = true; slot[s] = f
	:: slot[s] = f; whole[f] = true
	fi
#else
	whole[f] = true;
	slot[s] = f
#endif
}

proctype commands()
{
	byte a;

	settled = true;
	due[2] = true;
	/* code: kmod/registry.c: seen_slot_exchange(slot, empty); */
	install(0, 2);
	destroy(0);

	/* code: kmod/registry.c: int seen_slot_swap(struct seen_slot *slot, struct seen_slot *other, */
	a = slot[0];
#ifdef EMPTY_SWAP
	slot[0] = NONE;
#endif
	/* code: kmod/registry.c: install(slot, b); */
	install(0, slot[1]);
	/* code: kmod/registry.c: install(other, a); */
	install(1, a);
	settled = false;

	/* code: kmod/registry.c: RCU_INIT_POINTER(slot->filter, NULL); */
	a = slot[0];
	slot[0] = NONE;
	destroy(a);
	a = slot[1];
	slot[1] = NONE;
	destroy(a);

#ifndef NO_BARRIER
	/* code: kmod/registry.c: rcu_barrier(); */
	/* code: kmod/registry.c: flush_workqueue(seen_wq); */
	(freed[0] && freed[1] && freed[2]);
#endif
	/* The hooks and rules went before: each packet has left. */
	packets == 0;
	atomic {
		gone = true;
		assert(freed[0] && freed[1] && freed[2])
	}
}

init {
	byte i;

	atomic {
		whole[0] = true;
		whole[1] = true;
		due[0] = true;
		due[1] = true;
		do
		:: i < FILTERS -> run works(i); run free_work(i); i++
		:: else -> break
		od;
		i = 0;
		do
		:: i < PACKETS -> run packet(i); i++
		:: else -> break
		od;
		run commands()
	}
}
