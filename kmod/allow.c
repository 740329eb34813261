// SPDX-License-Identifier: GPL-2.0
/* Allow lists; allow.h. */
#include <linux/jhash.h>
#include <linux/slab.h>

#include "allow.h"
#include "limit.h"

/* Number of tries of a lookup while the lists are changing. */
#define LOOKS		3
/* Minimum number of buckets of the hash table. */
#define TABLE_LEAST	64

/* Number of payload bytes that are hashed. */
#define START		64
/* Maximum number of keys with the same hashed bytes; a packet is compared with all of them. */
#define ALIKE		64

/**
 * struct probe - a key that is looked up
 * @key: the key
 * @count: number of bytes in @start
 * @start: first bytes of the key's payload
 */
struct probe {
	const struct seen_key *key;
	u32 count;
	u8 start[START];
};

/*
 * Only the operator adds keys to the table, so an attacker cannot make its chains long. The
 * hash does not use the filter's secret, because the list stays when the filter is replaced.
 */
static u32 allow_hash_probe(const void *data, u32 len, u32 seed)
{
	const struct probe *probe = data;

	return jhash(probe->start, probe->count,
		     jhash(probe->key->head, probe->key->len, seed));
}

static u32 allow_hash_allowed(const void *data, u32 len, u32 seed)
{
	const struct seen_allowed *allowed = data;

	return jhash(allowed->key + allowed->head,
		     min(allowed->len - allowed->head, START),
		     jhash(allowed->key, allowed->head, seed));
}

/* Compares the hashed bytes. The fields include the length of the payload. */
static int allow_compare(struct rhashtable_compare_arg *arg, const void *object)
{
	const struct seen_allowed *allowed = object;
	const struct probe *probe = arg->key;
	const struct seen_key *key = probe->key;

	return allowed->len != seen_key_bytes(key) ||
	       allowed->head != key->len ||
	       memcmp(allowed->key, key->head, key->len) ||
	       memcmp(allowed->key + key->len, probe->start, probe->count);
}

static const struct rhashtable_params params = {
	.head_offset = offsetof(struct seen_allowed, node),
	.hashfn = allow_hash_probe,
	.obj_hashfn = allow_hash_allowed,
	.obj_cmpfn = allow_compare,
	.min_size = TABLE_LEAST,
	.automatic_shrinking = true,
};

/* Includes buckets of the table, which shrinks when less than a third of it is used. */
static u64 allow_allowed_bytes(size_t len)
{
	return sizeof(struct seen_allowed) + len + 4 * sizeof(void *);
}

/* Includes the table at its minimum size. */
static u64 allow_list_bytes(void)
{
	return sizeof(struct seen_allow) + TABLE_LEAST * sizeof(void *);
}

struct seen_allow *seen_binding_allow(const struct seen_binding *binding)
{
	return rcu_dereference_protected(binding->allow,
					 seen_binding_is_held(binding));
}

static void allow_probe_for(struct probe *probe, const struct seen_key *key)
{
	probe->key = key;
	probe->count = seen_payload_copy(&key->payload, probe->start,
					 sizeof(probe->start));
}

/* @alike: out: number of other keys with the same hashed bytes. In an RCU read section. */
static struct seen_allowed *allow_find_among(const struct seen_allow *allow,
					     const struct seen_key *key, u32 *alike)
{
	struct probe probe __uninitialized;
	struct seen_allowed *allowed;
	struct rhlist_head *list, *at;

	*alike = 0;
	allow_probe_for(&probe, key);
	list = rhltable_lookup((struct rhltable *)&allow->table, &probe,
			       params);
	rhl_for_each_entry_rcu(allowed, at, list, node) {
		if (seen_payload_equal(&key->payload, allowed->key + key->len))
			return allowed;
		++*alike;
	}
	return NULL;
}

/* The same for a caller that holds seen_net.changes, which keeps the key alive. */
static struct seen_allowed *allow_find(const struct seen_allow *allow,
				       const struct seen_key *key, u32 *alike)
{
	struct seen_allowed *allowed;

	rcu_read_lock();
	allowed = allow_find_among(allow, key, alike);
	rcu_read_unlock();
	return allowed;
}

/* Does a prefix in the list cover the key? */
static noinline bool allow_covers(const struct seen_allow *allow,
				  const struct seen_key *key)
{
	struct seen_lpm_walk walk __uninitialized;
	/* Not cleared, because it is large; only members that are set here are read. */
	struct seen_key shorter __uninitialized;
	u32 alike;

	shorter.head = walk.key;
	shorter.len = key->len;
	seen_payload_set(&shorter.payload, NULL, 0);
	seen_lpm_begin(&walk, key->head, key->len, key->prefix - 1);
	while (seen_lpm_next(&walk, &allow->lengths))
		if (allow_find_among(allow, &shorter, &alike))
			return true;
	return false;
}

static bool allow_list_holds(const struct seen_binding *binding,
			     const struct seen_key *key)
{
	const struct seen_allow *allow = rcu_dereference(binding->allow);
	u32 alike;

	if (!allow)
		return false;
	return key->prefix ? allow_covers(allow, key) :
			     !!allow_find_among(allow, key, &alike);
}

static bool allow_has_come(const struct seen_binding *binding,
			   const struct seen_key *key)
{
	/* Pairs with the lock between an add to the list and a deletion from the map. */
	smp_rmb();
	return allow_list_holds(binding, key);
}

static bool allow_nothing_came(const struct seen_binding *binding, u32 lists_seq,
			       const struct seen_binding *map, u32 filter_seq)
{
	/*
	 * Pairs with binding_uninstall(), and with the locks between an add to one list or
	 * map and a deletion from another.
	 */
	smp_rmb();
	return READ_ONCE(binding->lists_seq) == lists_seq &&
	       (!map || READ_ONCE(map->filter_seq) == filter_seq);
}

/*
 * A key that moves between the list and the map is in both for a moment. So look in the list,
 * in the map, and in the list again. A key that moves there and back during one lookup may be
 * missed.
 *
 * A key that moves from one map to another one is in both maps for a moment. So a key that is
 * not found is absent only if the binding still has the same map and this map still has the
 * same filter; else look again. A packet does not wait until the changes stop: after LOOKS
 * tries the key counts as allowed.
 */
bool seen_allow_ask(const struct seen_binding *binding,
		    const struct seen_key *key)
{
	const struct seen_binding *map;
	u32 lists_seq, filter_seq;
	int i;

	for (i = 0; i < LOOKS; i++) {
		/* Pairs with seen_binding_listed(). */
		lists_seq = smp_load_acquire(&binding->lists_seq);
		if (allow_list_holds(binding, key))
			return true;
		/* Pairs with the lock between an add to the map and a delete from the list. */
		smp_rmb();
		map = rcu_dereference(binding->allow_map);
		/* Pairs with binding_install(). */
		filter_seq = map ? smp_load_acquire(&map->filter_seq) : 0;
		if (map && (seen_allow_map_find(map, key) ||
			    allow_has_come(binding, key)))
			return true;
		if (allow_nothing_came(binding, lists_seq, map, filter_seq))
			return false;
	}
	return true;
}

static void allow_free_allowed(void *object, void *unused)
{
	kfree(object);
}

/* Runs a grace period after the last packet could have found the list. */
static void allow_free_work(struct work_struct *work)
{
	struct seen_allow *allow = container_of(to_rcu_work(work),
						struct seen_allow, free_work);

	rhltable_free_and_destroy(&allow->table, allow_free_allowed, NULL);
	seen_limit_uncharge(allow->sn, allow->bytes);
	kfree(allow);
}

static void allow_free_one(struct rcu_head *rcu)
{
	struct seen_allowed *allowed = container_of(rcu, struct seen_allowed,
						    rcu);

	seen_limit_uncharge(allowed->sn, allow_allowed_bytes(allowed->len));
	kfree(allowed);
}

static struct seen_allow *allow_create(struct seen_binding *binding,
				       struct netlink_ext_ack *extack)
{
	struct seen_allow *allow;
	int err;

	err = seen_limit_charge(binding->sn, allow_list_bytes(), extack);
	if (err)
		return ERR_PTR(err);
	allow = kzalloc(sizeof(*allow), SEEN_GFP);
	if (!allow || rhltable_init(&allow->table, &params)) {
		kfree(allow);
		seen_limit_uncharge(binding->sn, allow_list_bytes());
		NL_SET_ERR_MSG(extack, SEEN_TEXT_MEMORY("keys"));
		return ERR_PTR(-ENOMEM);
	}
	allow->sn = binding->sn;
	allow->bytes = allow_list_bytes();
	allow->numbers = RB_ROOT;
	INIT_RCU_WORK(&allow->free_work, allow_free_work);
	down_write(&binding->sn->lock);
	rcu_assign_pointer(binding->allow, allow);
	up_write(&binding->sn->lock);
	return allow;
}

/* Lets a dump of the list notice the change; seen_net.lock held for writing. */
static void allow_changed(struct seen_binding *binding)
{
	binding->allow_seq = ++binding->sn->allow_seq;
}

static struct seen_allowed *allow_entry(struct rb_node *node)
{
	return rb_entry_safe(node, struct seen_allowed, numbers);
}

/* Returns false if another key has this number. */
static bool allow_insert_number(struct seen_allow *allow, struct seen_allowed *allowed)
{
	struct rb_node **link = &allow->numbers.rb_node, *parent = NULL;
	u32 number;

	while (*link) {
		parent = *link;
		number = allow_entry(parent)->number;
		if (number == allowed->number)
			return false;
		link = allowed->number < number ? &parent->rb_left : &parent->rb_right;
	}
	rb_link_node(&allowed->numbers, parent, link);
	rb_insert_color(&allowed->numbers, &allow->numbers);
	return true;
}

/* A key keeps its number. After 2^32 numbers they are reused, except those still in use. */
static void allow_give_number(struct seen_allow *allow, struct seen_allowed *allowed)
{
	do {
		allow->last = max(allow->last + 1, 1U);
		allowed->number = allow->last;
	} while (!allow_insert_number(allow, allowed));
}

struct seen_allowed *seen_allow_from(const struct seen_allow *allow, u32 from)
{
	struct rb_node *node = allow->numbers.rb_node, *found = NULL;

	while (node) {
		if (allow_entry(node)->number < from) {
			node = node->rb_right;
		} else {
			found = node;
			node = node->rb_left;
		}
	}
	return allow_entry(found);
}

struct seen_allowed *seen_allow_next(const struct seen_allowed *allowed)
{
	return allow_entry(rb_next(&allowed->numbers));
}

static int allow_insert(struct seen_allow *allow, const struct seen_key *key,
			struct seen_allowed *allowed)
{
	struct probe probe;
	int err;

	allow_probe_for(&probe, key);
	err = rhltable_insert_key(&allow->table, &probe, &allowed->node,
				  params);
	if (err)
		return err;
	allow_give_number(allow, allowed);
	allow->count++;
	allow->bytes += allow_allowed_bytes(allowed->len);
	return 0;
}

static int allow_add(struct seen_binding *binding, struct seen_allow *allow,
		     const struct seen_key *key)
{
	size_t len = seen_key_bytes(key);
	struct seen_allowed *allowed;
	int err;

	allowed = kmalloc(struct_size(allowed, key, len), SEEN_GFP);
	if (!allowed)
		return -ENOMEM;
	allowed->sn = binding->sn;
	allowed->len = len;
	allowed->head = key->len;
	memcpy(allowed->key, key->head, key->len);
	seen_payload_copy(&key->payload, allowed->key + key->len,
			  key->payload.len);
	down_write(&binding->sn->lock);
	err = allow_insert(allow, key, allowed);
	if (!err)
		allow_changed(binding);
	/* Until this call packets do not look for lists. */
	if (!err && !binding->lists_seq)
		seen_binding_listed(binding);
	up_write(&binding->sn->lock);
	if (err)
		kfree(allowed);
	return err;
}

static int allow_charge_and_add(struct seen_binding *binding,
				struct seen_allow *allow, const struct seen_key *key,
				struct netlink_ext_ack *extack)
{
	size_t len = seen_key_bytes(key);
	int err;

	err = seen_limit_charge(binding->sn, allow_allowed_bytes(len), extack);
	if (err)
		return err;
	err = allow_add(binding, allow, key);
	if (!err)
		return 0;
	seen_limit_uncharge(binding->sn, allow_allowed_bytes(len));
	if (err == -ENOMEM)
		NL_SET_ERR_MSG(extack, SEEN_TEXT_MEMORY("keys"));
	else
		NL_SET_ERR_MSG(extack,
			       "keys: the allow list is being resized; try again");
	return err;
}

/* Delete an empty list, so that packets need not look into it. */
static void allow_drop_empty(struct seen_binding *binding,
			     const struct seen_allow *allow)
{
	if (!allow->count)
		seen_allow_drop(binding);
}

int seen_allow_add(struct seen_binding *binding, const struct seen_key *key,
		   struct netlink_ext_ack *extack)
{
	struct seen_allow *allow = seen_binding_allow(binding);
	u32 alike;
	int err;

	lockdep_assert_held(&binding->sn->changes);
	if (!allow)
		allow = allow_create(binding, extack);
	if (IS_ERR(allow))
		return PTR_ERR(allow);
	if (allow_find(allow, key, &alike))
		return 1;
	if (alike == ALIKE) {
		NL_SET_ERR_MSG(extack,
			       "keys: the allow list already has 64 keys with these fields and first 64 bytes of payload");
		return -ENOSPC;
	}
	/* Before the key is added, because a packet looks up only these lengths. */
	if (key->prefix &&
	    !seen_lengths_add(&allow->lengths,
			      seen_lengths_index(key->head + key->prefix - 1))) {
		NL_SET_ERR_MSG(extack,
			       SEEN_TEXT_LENGTHS("allow list"));
		return -E2BIG;
	}
	err = allow_charge_and_add(binding, allow, key, extack);
	if (err) {
		down_write(&binding->sn->lock);
		allow_drop_empty(binding, allow);
		up_write(&binding->sn->lock);
	}
	return err;
}

bool seen_allow_del(struct seen_binding *binding, const struct seen_key *key)
{
	struct seen_allow *allow = seen_binding_allow(binding);
	struct seen_allowed *allowed;
	u32 alike;

	lockdep_assert_held(&binding->sn->changes);
	allowed = allow ? allow_find(allow, key, &alike) : NULL;
	if (!allowed)
		return false;
	down_write(&binding->sn->lock);
	rhltable_remove(&allow->table, &allowed->node, params);
	rb_erase(&allowed->numbers, &allow->numbers);
	allow->count--;
	allow->bytes -= allow_allowed_bytes(allowed->len);
	allow_changed(binding);
	allow_drop_empty(binding, allow);
	up_write(&binding->sn->lock);
	call_rcu(&allowed->rcu, allow_free_one);
	return true;
}

void seen_allow_drop(struct seen_binding *binding)
{
	struct seen_allow *allow = seen_binding_allow(binding);

	lockdep_assert_held_write(&binding->sn->lock);
	if (!allow)
		return;
	allow_changed(binding);
	RCU_INIT_POINTER(binding->allow, NULL);
	queue_rcu_work(seen_wq, &allow->free_work);
}
