// SPDX-License-Identifier: GPL-2.0
/* Probes: guard_probe.h. */
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <linux/pkt_sched.h>
#include <linux/random.h>
#include <linux/rculist.h>

#include "guard_port.h"
#include "guard_probe.h"

#define MAGIC	0x7365656e	/* "seen" */
#define VERSION	1

#define TRIES		4
/* The first tries send by the port on which copies came back, the rest by all other ports. */
#define TRIES_BACK	2
#define TRY_SPAN	(50 * NSEC_PER_MSEC)

#define PAUSE_MIN	(50 * NSEC_PER_MSEC)
#define PAUSE_SPREAD	(250 * NSEC_PER_MSEC)

#define ROUND_SPAN	(60ULL * NSEC_PER_SEC)

/**
 * struct payload - payload of a probe, padded with zeros
 * @magic: MAGIC
 * @version: VERSION
 * @unused: 0
 * @port: number of the port that sent it
 * @serial: number of the stage
 * @proto: TPID of the VLAN in which it was sent
 * @vlan: ID of this VLAN
 * @nonce: random, different in each probe
 * @tag: SipHash-2-4 of all members before, with the guard's key
 */
struct payload {
	__be32 magic;
	u8 version;
	u8 unused;
	__be16 port;
	__be32 serial;
	__be16 proto;
	__be16 vlan;
	u8 nonce[16];
	__be64 tag;
} __packed;

void seen_probe_init(struct seen_probe *probe)
{
	get_random_bytes(&probe->key, sizeof(probe->key));
}

void seen_probe_follow(struct seen_probe *probe, const struct seen_probe *old)
{
	probe->key = old->key;
	probe->serial = READ_ONCE(old->serial) + 1;
}

static u64 probe_tag(const struct seen_probe *probe,
		     const struct payload *payload)
{
	return siphash(payload, offsetof(struct payload, tag), &probe->key);
}

/* In the bridge hooks of netfilter, skb->data is the payload of the frame. */
static bool probe_read(const struct seen_port *port, const struct sk_buff *skb,
		       struct payload *payload)
{
	if (!seen_probe_is_one(skb) ||
	    skb_copy_bits(skb, 0, payload, sizeof(*payload)))
		return false;
	return payload->magic == htonl(MAGIC) && payload->version == VERSION &&
	       payload->tag ==
	       cpu_to_be64(probe_tag(&port->guard->probe, payload));
}

bool seen_probe_mine(const struct seen_port *port, const struct sk_buff *skb)
{
	struct payload payload;

	return probe_read(port, skb, &payload);
}

/* --- rounds ---------------------------------------------------------------- */

bool seen_probe_allowed(const struct seen_guard *guard)
{
	const struct seen_guard_config *config = &guard->config;

	return seen_guard_blocks(config) && !READ_ONCE(config->no_probe) &&
	       !READ_ONCE(config->paused);
}

static void probe_stage(struct seen_probe *probe, u32 stage, u64 due)
{
	WRITE_ONCE(probe->stage, stage);
	WRITE_ONCE(probe->serial, probe->serial + 1);
	probe->tries = 0;
	probe->due = due;
	probe->found = (struct seen_finding) {
		.kind = SEEN_FINDING_KIND_UNCONFIRMED,
		.left = probe->back, .vlan = probe->vlan.id,
	};
}

bool seen_probe_round_left(const struct seen_port *port, u64 now)
{
	u64 round = port->round[port->rounds % SEEN_PROBE_ROUNDS];

	return !round || now - round >= ROUND_SPAN;
}

bool seen_probe_begin(struct seen_port *port, u32 first, struct seen_vlan vlan)
{
	struct seen_guard *guard = port->guard;
	struct seen_probe *probe = &guard->probe;
	u64 now = seen_now();

	lockdep_assert_held(&guard->evidence_lock);
	if (probe->stage != SEEN_PROBE_IDLE || !seen_probe_allowed(guard) ||
	    !seen_probe_round_left(port, now))
		return false;
	port->round[port->rounds++ % SEEN_PROBE_ROUNDS] = now;
	probe->back = port->number;
	probe->first = first;
	probe->vlan = vlan;
	probe_stage(probe, SEEN_PROBE_FIRST, now);
	mod_delayed_work(seen_wq, &guard->work, 0);
	return true;
}

/* --- packets --------------------------------------------------------------- */

static void probe_note(struct seen_guard *guard, u32 serial,
		       const struct seen_finding *finding)
{
	struct seen_probe *probe = &guard->probe;

	/* Take no lock for a probe that comes back many times. */
	if (finding->kind <= READ_ONCE(probe->found.kind))
		return;
	spin_lock_bh(&guard->evidence_lock);
	if (probe->serial == serial && finding->kind > probe->found.kind)
		probe->found = *finding;
	spin_unlock_bh(&guard->evidence_lock);
}

struct seen_probe_frame seen_probe_came(struct seen_port *port,
					const struct sk_buff *skb)
{
	struct seen_probe_frame frame = {};
	struct seen_finding finding = {};
	struct payload payload;
	struct seen_vlan vlan;

	if (!probe_read(port, skb, &payload))
		return frame;
	vlan = seen_vlan_domain(port, port->dev, skb).vlan;
	frame.left = ntohs(payload.port);
	frame.serial = ntohl(payload.serial);
	frame.fresh = frame.serial == READ_ONCE(port->guard->probe.serial);
	if (!frame.fresh)
		return frame;
	finding.left = frame.left;
	finding.came = port->number;
	finding.vlan = ntohs(payload.vlan);
	finding.into = vlan.id;
	if (vlan.id && vlan.id != finding.vlan)
		finding.kind = SEEN_FINDING_KIND_LEAK;
	else if (frame.left == port->number)
		finding.kind = SEEN_FINDING_KIND_REFLECTION;
	else
		finding.kind = SEEN_FINDING_KIND_PATH;
	frame.same = finding.kind == SEEN_FINDING_KIND_PATH &&
		     seen_vlan_same(vlan, (struct seen_vlan) {
			     .proto = payload.proto, .id = finding.vlan });
	probe_note(port->guard, frame.serial, &finding);
	return frame;
}

/* A round needs two proofs: the first one starts a pause, the second one blocks a port. */
static void probe_prove(struct seen_port *port, u32 left)
{
	struct seen_guard *guard = port->guard;
	struct seen_probe *probe = &guard->probe;

	lockdep_assert_held(&guard->evidence_lock);
	probe->found.kind = SEEN_FINDING_KIND_LOOP;
	probe->found.left = left;
	probe->found.came = port->number;
	if (probe->stage == SEEN_PROBE_FIRST) {
		WRITE_ONCE(probe->stage, SEEN_PROBE_PAUSE);
		probe->due = seen_now() + PAUSE_MIN +
			     (PAUSE_SPREAD * (get_random_u32() >> 16) >> 16);
	} else {
		WRITE_ONCE(probe->stage, SEEN_PROBE_PROVED);
		seen_guard_block(guard, probe->back, left, port->number);
	}
	mod_delayed_work(seen_wq, &guard->work, 0);
}

void seen_probe_forward(struct seen_port *port, const struct seen_port *out,
			const struct seen_probe_frame *frame)
{
	struct seen_guard *guard = port->guard;
	struct seen_probe *probe = &guard->probe;

	if (!frame->same || !out || out->number != frame->left ||
	    !seen_probe_allowed(guard))
		return;
	spin_lock_bh(&guard->evidence_lock);
	if (probe->serial == frame->serial &&
	    (probe->stage == SEEN_PROBE_FIRST ||
	     probe->stage == SEEN_PROBE_AGAIN))
		probe_prove(port, frame->left);
	spin_unlock_bh(&guard->evidence_lock);
}

/* --- the work -------------------------------------------------------------- */

static struct sk_buff *probe_build(const struct seen_port *port, u32 serial,
				   struct seen_vlan vlan)
{
	struct net_device *dev = port->dev;
	struct payload *payload;
	struct ethhdr *eth;
	struct sk_buff *skb;

	skb = alloc_skb(LL_RESERVED_SPACE(dev) + dev->needed_tailroom +
			ETH_ZLEN, GFP_KERNEL);
	if (!skb)
		return NULL;
	skb_reserve(skb, LL_RESERVED_SPACE(dev));
	skb_reset_mac_header(skb);
	eth = skb_put_zero(skb, ETH_ZLEN);
	eth_broadcast_addr(eth->h_dest);
	ether_addr_copy(eth->h_source, dev->dev_addr);
	eth->h_proto = htons(ETH_P_802_EX1);
	skb_set_network_header(skb, ETH_HLEN);
	payload = (struct payload *)(eth + 1);
	payload->magic = htonl(MAGIC);
	payload->version = VERSION;
	payload->port = htons(port->number);
	payload->serial = htonl(serial);
	payload->proto = vlan.proto;
	payload->vlan = htons(vlan.id);
	get_random_bytes(payload->nonce, sizeof(payload->nonce));
	payload->tag = cpu_to_be64(probe_tag(&port->guard->probe, payload));
	skb->protocol = eth->h_proto;
	skb->priority = TC_PRIO_CONTROL;
	skb->dev = dev;
	return skb;
}

/* Send a probe as the bridge would send a frame of this VLAN by this port. */
static void probe_send(const struct seen_port *port, u32 serial,
		       struct seen_vlan vlan)
{
	struct seen_vlan tag = vlan;
	struct sk_buff *skb;
	bool sends;

	rcu_read_lock();
	sends = seen_vlan_egress(port, &tag);
	rcu_read_unlock();
	if (!sends)
		return;
	skb = probe_build(port, serial, vlan);
	if (!skb)
		return;
	if (tag.proto)
		__vlan_hwaccel_put_tag(skb, tag.proto, tag.id);
	dev_queue_xmit(skb);
}

static void probe_try(struct seen_guard *guard, const struct seen_probe *now)
{
	const struct seen_port *port;
	bool by_back = now->tries < TRIES_BACK, is_back;

	list_for_each_entry(port, &guard->ports, list) {
		is_back = port->number == now->back;
		if (is_back == by_back && seen_port_open(port) &&
		    seen_vlan_forwards(port->dev))
			probe_send(port, now->serial, now->vlan);
	}
}

/* Are two findings equal? The direction between the two ports does not matter. */
static bool probe_same(const struct seen_finding *a,
		       const struct seen_finding *b)
{
	return a->kind == b->kind && a->vlan == b->vlan && a->into == b->into &&
	       ((a->left == b->left && a->came == b->came) ||
		(a->left == b->came && a->came == b->left));
}

/* Add the finding to an equal one, or replace the oldest one. */
static void probe_keep(struct seen_probe *probe, struct seen_finding *found)
{
	struct seen_finding *place = &probe->findings[0];
	u64 count = 0;
	int i;

	for (i = 0; i < SEEN_FINDINGS; i++) {
		struct seen_finding *finding = &probe->findings[i];

		if (finding->count && probe_same(finding, found)) {
			place = finding;
			count = finding->count;
			break;
		}
		if (finding->when < place->when)
			place = finding;
	}
	found->count = count + 1;
	found->when = seen_now();
	*place = *found;
}

/* The guard may have been deleted. Then it has no ports, and its binding may be freed. */
static void probe_report(struct seen_guard *guard, u8 cmd,
			 const struct seen_finding *found)
{
	const struct seen_port *left = seen_guard_port(guard, found->left);
	const struct seen_port *came = seen_guard_port(guard, found->came);
	struct seen_event event;

	if (!left)
		return;
	event = seen_guard_event(guard, cmd);
	event.port = left->name;
	event.other = came ? came->name : NULL;
	event.finding = found;
	seen_event_send(guard->sn, &event);
}

static void probe_answered(struct seen_guard *guard, u32 number)
{
	struct seen_port *port = seen_guard_port(guard, number);

	if (port)
		seen_repeat_answered(port);
}

/* End the round. Returns true if there is a finding to report. */
static bool probe_end(struct seen_guard *guard)
{
	struct seen_probe *probe = &guard->probe;
	bool allowed = seen_probe_allowed(guard);

	lockdep_assert_held(&guard->evidence_lock);
	WRITE_ONCE(probe->stage, SEEN_PROBE_IDLE);
	/* Probes that arrive after this belong to no stage. */
	WRITE_ONCE(probe->serial, probe->serial + 1);
	probe_answered(guard, probe->back);
	probe_answered(guard, probe->first);
	if (allowed)
		probe_keep(probe, &probe->found);
	return allowed;
}

enum probe_step { PROBE_REST, PROBE_SEND, PROBE_TELL };

static enum probe_step probe_next(struct seen_guard *guard)
{
	struct seen_probe *probe = &guard->probe;
	u64 now = seen_now();

	lockdep_assert_held(&guard->evidence_lock);
	if (probe->stage == SEEN_PROBE_IDLE)
		return PROBE_REST;
	if (probe->stage != SEEN_PROBE_PROVED && seen_probe_allowed(guard)) {
		if (now < probe->due)
			return PROBE_REST;
		if (probe->stage == SEEN_PROBE_PAUSE)
			probe_stage(probe, SEEN_PROBE_AGAIN, now);
		if (probe->tries < TRIES)
			return PROBE_SEND;
	}
	return probe_end(guard) ? PROBE_TELL : PROBE_REST;
}

/* @now: out: a copy of the guard's probe state, for sending or reporting */
static enum probe_step probe_step(struct seen_guard *guard,
				  struct seen_probe *now)
{
	struct seen_probe *probe = &guard->probe;
	enum probe_step step;

	spin_lock_bh(&guard->evidence_lock);
	step = probe_next(guard);
	*now = *probe;
	if (step == PROBE_SEND) {
		probe->tries++;
		probe->due = seen_now() + TRY_SPAN;
	}
	spin_unlock_bh(&guard->evidence_lock);
	return step;
}

/* evidence_lock is not held in probe_try(): a probe may return before the call ends. */
u64 seen_probe_work(struct seen_guard *guard, bool rtnl)
{
	struct seen_probe now;
	enum probe_step step;

	lockdep_assert_held(&guard->sn->lock);
	do {
		step = probe_step(guard, &now);
		if (step == PROBE_SEND && rtnl)
			probe_try(guard, &now);
	} while (step == PROBE_SEND);
	if (step == PROBE_TELL)
		probe_report(guard, SEEN_CMD_PROBED_NTF, &now.found);
	return now.stage == SEEN_PROBE_IDLE ? SEEN_NEVER : now.due;
}

void seen_guard_found(struct seen_guard *guard, u8 cmd, struct seen_finding *finding)
{
	lockdep_assert_held(&guard->sn->lock);
	spin_lock_bh(&guard->evidence_lock);
	probe_keep(&guard->probe, finding);
	spin_unlock_bh(&guard->evidence_lock);
	probe_report(guard, cmd, finding);
}

bool seen_probe_idle(const struct seen_guard *guard)
{
	return READ_ONCE(guard->probe.stage) == SEEN_PROBE_IDLE;
}

bool seen_probe_proved(const struct seen_guard *guard)
{
	return READ_ONCE(guard->probe.stage) == SEEN_PROBE_PROVED;
}

void seen_probe_findings(struct seen_guard *guard,
			 struct seen_finding findings[SEEN_FINDINGS])
{
	spin_lock_bh(&guard->evidence_lock);
	memcpy(findings, guard->probe.findings, sizeof(guard->probe.findings));
	spin_unlock_bh(&guard->evidence_lock);
}
