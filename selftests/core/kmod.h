/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the functions of kmod/ need that part.sh takes from it, for interleave.c:
 * of each struct the members that they use; of what they call, what matters to
 * the order in which filters are published, found and freed.
 */
#ifndef SEEN_TEST_KMOD_H
#define SEEN_TEST_KMOD_H

#include "rcu.h"
#include "snapshot.h"

#define IS_ERR(p)			false
#define PTR_ERR(p)			0
#define EAGAIN				11
#define ENOMEM				12
#define EOPNOTSUPP			95
#define EINVAL				22
#define EBUSY				16
#define NL_SET_ERR_MSG(extack, text)	((void)(extack))
#define SEEN_SET_ERR_MSG_FMT(extack, ...) ((void)(extack))
#define WARN_ON_ONCE(x)			expect(!(x))
#define lockdep_is_held(l)		((void)(l), true)
#define lockdep_assert_held_write(l)	((void)(l))
#define cond_resched()			((void)0)
#define this_cpu_inc(x)			((void)&(x))

/* Readers exclude each other, too: none of the cases has two of them. */
struct rw_semaphore {
	spinlock_t lock;	/* all there is of it */
};

#define down_read(s)			spin_lock(&(s)->lock)
#define up_read(s)			spin_unlock(&(s)->lock)
#define down_write(s)			spin_lock(&(s)->lock)
#define up_write(s)			spin_unlock(&(s)->lock)

struct netlink_ext_ack;
struct sk_buff;

struct list_head {
	struct list_head *next;
};

struct seen_net {
	struct rw_semaphore lock;	/* as the kernel's */
	int changes;
	u64 generation;
};

/* All that a list is here: whether the packet's key is on it. */
struct seen_allow {
	u64 has_it;	/* a word */
};

/* A key is its number. */
struct seen_allowed {
	struct seen_net *sn;
	u16 len;
	u8 key[1];
};

struct seen_key {
	u16 len;
	u8 bytes[1];
};

struct seen_slot {
	struct list_head list;
	struct seen_filter __rcu *filter;
	struct seen_net *sn;
	u32 guards;
	u32 rules;
	u32 port_guards;
	u32 allow_maps;
	struct seen_allow *allow;
	struct seen_slot *allow_map;
	bool owned;
	u64 *unanswered;
	u32 life;
	u32 turns;
	u32 lists;
	struct rcu_head rcu;
};

struct seen_filter {
	struct seen_set set;
	int spec;
	u64 *stats;
	struct seen_net *sn;
	struct seen_slot *slot;
	u64 bytes;
	struct work_struct event_work;
	unsigned long events;
	struct work_struct sweep_work;
	bool dying;
	void *beside;
	struct work_struct retire_work;
	void *retired;
	struct rcu_work free_work;
};

enum seen_rule_op { SEEN_RULE_TEST, SEEN_RULE_TEST_ADD, SEEN_RULE_DEL };

enum seen_rule_answer {
	SEEN_RULE_UNKNOWN, SEEN_RULE_NEW, SEEN_RULE_SEEN, SEEN_RULE_ALLOWED
};

struct seen_question {
	u8 op;
	bool arrival;
};

static inline bool seen_slot_used(const struct seen_slot *slot)
{
	return slot->guards || slot->rules || slot->allow_maps;
}

bool seen_allow_ask(const struct seen_slot *slot, const void *key, size_t len);
bool seen_allow_map_find(const struct seen_slot *map, const void *key, size_t len);

/* What is of no matter here. */
#define announce(slot, cmd)		((void)(slot))
#define list_del(list)			((void)(list))
#define seen_limit_uncharge(sn, bytes)	((void)(sn))
#define slot_bytes()			0
#define seen_allow_drop(slot)		RCU_INIT_POINTER((slot)->allow, NULL)
#define seen_rehash_stop(filter)	((void)(filter))
#define cancel_work_sync(work)		((void)(work))
#define cancel_delayed_work_sync(work)	((void)(work))
#define free_percpu(p)			((void)(p))
#define seen_keyspec_equal(a, b)	(*(a) == *(b))
#define seen_slot_check_filter(slot, filter, extack) ((void)(extack), 0)

#define vfree(p)			bury(p)
#define kvfree(p)			bury(p)
#define kfree(p)			bury(p)
#define kfree_sensitive(p)		bury(p)

#endif
