// SPDX-License-Identifier: GPL-2.0
/* Allow lists; allow.h. */
#include <linux/jhash.h>
#include <linux/slab.h>

#include "allow.h"
#include "limit.h"

/* A key that is looked for. */
struct probe {
	const void *key;
	u16 len;
};

/* Only the operator's keys are in the table, so nobody else makes chains long. */
static u32 hash_probe(const void *data, u32 len, u32 seed)
{
	const struct probe *probe = data;

	return jhash(probe->key, probe->len, seed);
}

static u32 hash_allowed(const void *data, u32 len, u32 seed)
{
	const struct seen_allowed *allowed = data;

	return jhash(allowed->key, allowed->len, seed);
}

static int compare(struct rhashtable_compare_arg *arg, const void *object)
{
	const struct seen_allowed *allowed = object;
	const struct probe *probe = arg->key;

	return allowed->len != probe->len ||
	       memcmp(allowed->key, probe->key, probe->len);
}

static const struct rhashtable_params params = {
	.head_offset = offsetof(struct seen_allowed, node),
	.hashfn = hash_probe,
	.obj_hashfn = hash_allowed,
	.obj_cmpfn = compare,
	.automatic_shrinking = true,
};

/* With its places in the table, which is at most twice too large, and by number. */
static u64 allowed_bytes(size_t len)
{
	return sizeof(struct seen_allowed) + len + 4 * sizeof(void *);
}

struct seen_allow *seen_slot_allow(const struct seen_slot *slot)
{
	return rcu_dereference_protected(slot->allow,
					 lockdep_is_held(&slot->sn->lock) ||
					 lockdep_is_held(&slot->sn->changes));
}

static struct seen_allowed *find(const struct seen_allow *allow,
				 const void *key, size_t len)
{
	const struct probe probe = { .key = key, .len = len };

	return rhashtable_lookup_fast((struct rhashtable *)&allow->table,
				      &probe, params);
}

bool seen_allow_find(const struct seen_allow *allow, const void *key,
		     size_t len)
{
	return find(allow, key, len);
}

static void free_allowed(void *object, void *unused)
{
	kfree(object);
}

/* Runs a grace period after the last packet could have found the list. */
static void free_work(struct work_struct *work)
{
	struct seen_allow *allow = container_of(to_rcu_work(work),
						struct seen_allow, free_work);

	xa_destroy(&allow->numbers);
	rhashtable_free_and_destroy(&allow->table, free_allowed, NULL);
	seen_limit_uncharge(allow->sn, allow->bytes);
	kfree(allow);
}

static void free_one(struct rcu_head *rcu)
{
	struct seen_allowed *allowed = container_of(rcu, struct seen_allowed,
						    rcu);

	seen_limit_uncharge(allowed->sn, allowed_bytes(allowed->len));
	kfree(allowed);
}

static struct seen_allow *create(struct seen_slot *slot,
				 struct netlink_ext_ack *extack)
{
	struct seen_allow *allow;
	int err;

	err = seen_limit_charge(slot->sn, sizeof(*allow), extack);
	if (err)
		return ERR_PTR(err);
	allow = kzalloc(sizeof(*allow), SEEN_GFP);
	if (!allow || rhashtable_init(&allow->table, &params)) {
		kfree(allow);
		seen_limit_uncharge(slot->sn, sizeof(*allow));
		NL_SET_ERR_MSG(extack, "keys: not enough memory");
		return ERR_PTR(-ENOMEM);
	}
	allow->sn = slot->sn;
	allow->bytes = sizeof(*allow);
	xa_init_flags(&allow->numbers, XA_FLAGS_ALLOC1);
	INIT_RCU_WORK(&allow->free_work, free_work);
	down_write(&slot->sn->lock);
	rcu_assign_pointer(slot->allow, allow);
	up_write(&slot->sn->lock);
	return allow;
}

static int insert(struct seen_allow *allow, struct seen_allowed *allowed)
{
	int err;

	err = rhashtable_insert_fast(&allow->table, &allowed->node, params);
	if (err)
		return err;
	/* Reserved: it allocates nothing. */
	xa_store(&allow->numbers, allowed->number, allowed, 0);
	allow->count++;
	allow->bytes += allowed_bytes(allowed->len);
	return 0;
}

static int add(struct seen_slot *slot, struct seen_allow *allow,
	       const void *key, size_t len)
{
	struct seen_allowed *allowed;
	int err;

	allowed = kmalloc(struct_size(allowed, key, len), SEEN_GFP);
	if (!allowed)
		return -ENOMEM;
	allowed->sn = slot->sn;
	allowed->len = len;
	memcpy(allowed->key, key, len);
	err = xa_alloc(&allow->numbers, &allowed->number, NULL, xa_limit_32b,
		       SEEN_GFP);
	if (err)
		goto out_allowed;
	down_write(&slot->sn->lock);
	err = insert(allow, allowed);
	up_write(&slot->sn->lock);
	if (!err)
		return 0;
	xa_erase(&allow->numbers, allowed->number);
out_allowed:
	kfree(allowed);
	return err;
}

static int charge_and_add(struct seen_slot *slot, struct seen_allow *allow,
			  const void *key, size_t len,
			  struct netlink_ext_ack *extack)
{
	int err;

	err = seen_limit_charge(slot->sn, allowed_bytes(len), extack);
	if (err)
		return err;
	err = add(slot, allow, key, len);
	if (err) {
		seen_limit_uncharge(slot->sn, allowed_bytes(len));
		NL_SET_ERR_MSG(extack, "keys: not enough memory");
	}
	return err;
}

/* No packet looks into a list of nothing. */
static void drop_empty(struct seen_slot *slot, const struct seen_allow *allow)
{
	if (!allow->count)
		seen_allow_drop(slot);
}

int seen_allow_add(struct seen_slot *slot, const void *key, size_t len,
		   struct netlink_ext_ack *extack)
{
	struct seen_allow *allow = seen_slot_allow(slot);
	int err;

	lockdep_assert_held(&slot->sn->changes);
	if (!allow)
		allow = create(slot, extack);
	if (IS_ERR(allow))
		return PTR_ERR(allow);
	if (find(allow, key, len))
		return 1;
	err = charge_and_add(slot, allow, key, len, extack);
	if (err) {
		down_write(&slot->sn->lock);
		drop_empty(slot, allow);
		up_write(&slot->sn->lock);
	}
	return err;
}

bool seen_allow_del(struct seen_slot *slot, const void *key, size_t len)
{
	struct seen_allow *allow = seen_slot_allow(slot);
	struct seen_allowed *allowed;

	lockdep_assert_held(&slot->sn->changes);
	allowed = allow ? find(allow, key, len) : NULL;
	if (!allowed)
		return false;
	down_write(&slot->sn->lock);
	rhashtable_remove_fast(&allow->table, &allowed->node, params);
	xa_erase(&allow->numbers, allowed->number);
	allow->count--;
	allow->bytes -= allowed_bytes(len);
	drop_empty(slot, allow);
	up_write(&slot->sn->lock);
	call_rcu(&allowed->rcu, free_one);
	return true;
}

void seen_allow_drop(struct seen_slot *slot)
{
	struct seen_allow *allow = seen_slot_allow(slot);

	lockdep_assert_held_write(&slot->sn->lock);
	if (!allow)
		return;
	RCU_INIT_POINTER(slot->allow, NULL);
	queue_rcu_work(seen_wq, &allow->free_work);
}
