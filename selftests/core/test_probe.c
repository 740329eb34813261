// SPDX-License-Identifier: GPL-2.0
/*
 * Probes: when a guard sends them, their content, and the findings that they prove. The
 * module's own files run under a fake kernel. The test plays the bridge and its
 * neighbours.
 */
#include <linux/if_bridge.h>
#include <linux/if_vlan.h>
#include <linux/pkt_sched.h>

#include "../../kmod/guard_port.h"
#include "../fake/fake.h"
#include "../fake/module.h"
#include "siphash.h"
#include "test.h"

#define PORTS		4
#define SENT_MAX	64
#define MINUTE		(60 * SECOND)
#define VLAN		5
#define OTHER_VLAN	6

/* Where a probe has its fields, from the beginning of the frame. */
enum {
	AT_MAGIC = ETH_HLEN,
	AT_VERSION = AT_MAGIC + 4,
	AT_PORT = AT_MAGIC + 6,
	AT_SERIAL = AT_MAGIC + 8,
	AT_PROTO = AT_MAGIC + 12,
	AT_VLAN = AT_MAGIC + 14,
	AT_NONCE = AT_MAGIC + 16,
	AT_TAG = AT_MAGIC + 32,
	AT_END = AT_MAGIC + 40,
};

/* The first port is the sender's. Copies came back on the second one. */
enum { FIRST, BACK, THIRD, FOURTH };

static const char * const names[PORTS] = { "first", "back", "third", "fourth" };

static struct seen_guard guard;
static struct seen_port port[PORTS];
static struct net_device dev[PORTS], bridge;
static struct seen_binding binding;

/**
 * struct sent - a probe that has left
 * @bytes: the frame
 * @len: its bytes
 * @proto: protocol of the tag in skb->vlan_tci; 0: no tag
 * @tci: of the tag
 * @port: index of the port that it left by
 * @when: when it was sent
 * @priority: of the packet
 */
static struct sent {
	u8 bytes[128];
	u32 len;
	__be16 proto;
	u16 tci;
	int port;
	u64 when;
	u32 priority;
} sent[SENT_MAX];
static u32 count;

/* Probes come in by this port while they are sent. NULL: no probe does. */
static struct seen_port *instant;

/* --- the bridge ----------------------------------------------------------- */

bool br_vlan_enabled(const struct net_device *at)
{
	return at->vlan_filtering;
}

int br_vlan_get_proto(const struct net_device *at, u16 *proto)
{
	*proto = at->vlan_proto;
	return 0;
}

int br_vlan_get_pvid_rcu(const struct net_device *at, u16 *pvid)
{
	*pvid = at->pvid;
	return 0;
}

int br_vlan_get_info_rcu(const struct net_device *at, u16 vid,
			 struct bridge_vlan_info *info)
{
	if (!(at->vlans >> vid & 1))
		return -ENOENT;
	info->vid = vid;
	info->flags = at->untagged >> vid & 1 ? BRIDGE_VLAN_INFO_UNTAGGED : 0;
	return 0;
}

u8 br_port_get_stp_state(const struct net_device *at)
{
	return at->closed ? BR_STATE_BLOCKING : BR_STATE_FORWARDING;
}

bool br_port_flag_is_set(const struct net_device *at, unsigned long flag)
{
	return false;
}

/* Ports are numbered from 1. */
void *xa_load(struct xarray *xa, unsigned long index)
{
	return index && index <= PORTS ? &port[index - 1] : NULL;
}

/* As the bridge's hooks have it: the payload is at @data. */
static struct sk_buff received(struct sent *frame, int by)
{
	return (struct sk_buff) {
		.head = frame->bytes,
		.data = frame->bytes + ETH_HLEN,
		.len = frame->len - ETH_HLEN,
		.network_header = ETH_HLEN,
		.protocol = htons(ETH_P_802_EX1),
		.tagged = frame->proto,
		.vlan_proto = frame->proto,
		.vlan_tci = frame->tci,
		.dev = &dev[by],
	};
}

/* A probe comes in by a port. Return: what is known of it. */
static struct seen_probe_frame comes(struct sent *frame, int by)
{
	struct sk_buff skb = received(frame, by);

	return seen_probe_came(&port[by], &skb);
}

/* The same, and the bridge would forward it; @out -1: to the host. */
static void passes(struct sent *frame, int by, int out)
{
	struct seen_probe_frame came = comes(frame, by);

	seen_probe_forward(&port[by], out < 0 ? NULL : &port[out], &came);
}

/* A probe goes round: it comes in by a port, and would leave as before. */
static void loops(struct sent *frame, int by)
{
	passes(frame, by, frame->port);
}

int dev_queue_xmit(struct sk_buff *skb)
{
	struct sent *frame = &sent[count++];

	if (count > SENT_MAX || skb->len > sizeof(frame->bytes))
		abort();
	*frame = (struct sent) {
		.len = skb->len,
		.proto = skb->tagged ? skb->vlan_proto : 0,
		.tci = skb->vlan_tci,
		.port = skb->dev - dev,
		.when = seen_now(),
		.priority = skb->priority,
	};
	memcpy(frame->bytes, skb->head + skb->mac_header, skb->len);
	kfree_skb(skb);
	if (instant)
		loops(frame, instant - port);
	return 0;
}

/* --- a guard -------------------------------------------------------------- */

static void begin_ports(void)
{
	int i;

	for (i = 0; i < PORTS; i++) {
		memset(&dev[i], 0, sizeof(dev[i]));
		dev[i].running = true;
		dev[i].carrier = true;
		dev[i].needed_headroom = 8 * i;
		dev[i].dev_addr[0] = 2;
		dev[i].dev_addr[5] = i;
		port[i].sn = &fake_sn;
		port[i].guard = &guard;
		port[i].dev = &dev[i];
		port[i].number = i + 1;
		port[i].ethernet = true;
		strscpy(port[i].name, names[i], sizeof(port[i].name));
		list_add_tail(&port[i].list, &guard.ports);
	}
}

static void begin(u32 action)
{
	/* It would run in the next case. */
	fake_cancel_work(&guard.work.work);
	fake_sn_begin();
	memset(&guard, 0, sizeof(guard));
	memset(port, 0, sizeof(port));
	memset(&bridge, 0, sizeof(bridge));
	spin_lock_init(&guard.evidence_lock);
	INIT_LIST_HEAD(&guard.ports);
	INIT_DELAYED_WORK(&guard.work, seen_guard_work);
	seen_probe_init(&guard.probe);
	guard.sn = &fake_sn;
	guard.binding = &binding;
	guard.device = &bridge;
	guard.config.kind = SEEN_GUARD_KIND_BRIDGE;
	guard.config.verdict = SEEN_VERDICT_LOOP;
	guard.config.action = action;
	guard.config.block_first = SEEN_BLOCK_FIRST;
	guard.config.block_max = SEEN_BLOCK_MAX;
	begin_ports();
	count = 0;
	instant = NULL;
	fake_random = 0;
	fake_delay = 0;
	clock_add(10 * MINUTE);
}

static void suspect_in(int back, struct seen_vlan vlan)
{
	spin_lock_bh(&guard.evidence_lock);
	seen_probe_begin(&port[back], port[FIRST].number, vlan);
	spin_unlock_bh(&guard.evidence_lock);
}

/* Untagged frames, in a bridge without VLANs. */
static void suspect(int back)
{
	suspect_in(back, (struct seen_vlan) {});
}

/* The work is queued for later; it runs then. */
static void later(void)
{
	u64 in = fake_delay;

	if (!in)
		abort();
	fake_delay = 0;
	clock_add(in);
	seen_guard_work(&guard.work.work);
}

static bool is_idle(void)
{
	return guard.probe.stage == SEEN_PROBE_IDLE;
}

/* Until the round is over. */
static void finish(void)
{
	fake_run();
	while (!is_idle())
		later();
}

/* A round in which a probe of @left comes in by @by, and is not forwarded. */
static void round_of(int back, int left, int by)
{
	u32 i = count;

	suspect(back);
	fake_run();
	while (i == count || sent[i].port != left) {
		if (i < count)
			i++;
		else
			later();
	}
	comes(&sent[i], by);
	finish();
}

/* A first proof, by the port where copies came back, and the pause after it. */
static void prove_once(void)
{
	suspect(BACK);
	fake_run();
	loops(&sent[0], FIRST);
	fake_run();
	later();
}

static u64 blocks(void)
{
	u64 sum = 0;
	int i;

	for (i = 0; i < PORTS; i++)
		sum += port[i].blocks + port[i].would_block;
	return sum;
}

static bool found(u32 kind, int left, int came, u64 times)
{
	const struct seen_finding *finding = fake_event.finding;

	return fake_event.cmd == SEEN_CMD_PROBED_NTF && finding &&
	       finding->kind == kind && finding->count == times &&
	       !strcmp(fake_event.port, names[left]) &&
	       (came < 0 ? !finding->came && !fake_event.other
			 : !strcmp(fake_event.other, names[came]));
}

/* --- a round -------------------------------------------------------------- */

/* Were these sent @ms after the first one, and by these ports, a bit each? */
static bool were_sent(u32 *at, u64 ms, u32 ports)
{
	u32 by = 0;

	while (*at < count && sent[*at].when / MS == sent[0].when / MS + ms)
		by |= 1U << sent[(*at)++].port;
	return by == ports;
}

static void tries(void)
{
	u32 back = 1U << BACK;
	u32 others = 1U << FIRST | 1U << THIRD | 1U << FOURTH;
	u64 start;
	u32 at = 0;

	begin(SEEN_ACTION_BLOCK);
	suspect(BACK);
	start = seen_now();
	fake_run();
	ok(count == 1 && sent[0].when == start, "a probe is sent at once");
	seen_guard_work(&guard.work.work);
	ok(count == 1, "the work sends no more probes, no matter how often it runs");
	finish();
	ok(seen_now() - start >= 200 * MS && seen_now() - start < 201 * MS,
	   "without a proof a round ends after 200 ms");
	ok(count == 8 && were_sent(&at, 0, back) && were_sent(&at, 50, back),
	   "the first two of four tries leave by the port of the copies");
	ok(were_sent(&at, 100, others) && were_sent(&at, 150, others) &&
	   at == count,
	   "the last two leave by all other ports");
	ok(fake_events == 1 && found(SEEN_FINDING_KIND_UNCONFIRMED, BACK, -1, 1),
	   "no probe came in: the suspicion is not confirmed");
	ok(!blocks() && !fake_delay, "no port is blocked, and no work is left");
}

static void open_ports(void)
{
	u32 at = 0;

	begin(SEEN_ACTION_BLOCK);
	port[FIRST].self = true;
	dev[THIRD].carrier = false;
	suspect(BACK);
	finish();
	at = 2;
	ok(count == 4 && were_sent(&at, 100, 1U << FOURTH) &&
	   were_sent(&at, 150, 1U << FOURTH),
	   "not by the bridge itself, nor by a port without a carrier");
	begin(SEEN_ACTION_BLOCK);
	dev[FIRST].running = false;
	port[THIRD].blocked_until = seen_now() + MINUTE;
	suspect(BACK);
	finish();
	at = 2;
	ok(count == 4 && were_sent(&at, 100, 1U << FOURTH),
	   "nor by a port that is down, or blocked");
}

static bool is_zero(const u8 *bytes, u32 len)
{
	while (len--)
		if (*bytes++)
			return false;
	return true;
}

static u64 tag_of(const struct sent *frame)
{
	const siphash_key_t *key = &guard.probe.key;
	const struct seen_secret secret = { { key->key[0], key->key[1] } };

	return seen_siphash24(frame->bytes + AT_MAGIC, AT_TAG - AT_MAGIC,
			      &secret);
}

static u64 number_at(const struct sent *frame, int at, int bytes)
{
	u64 number = 0;

	while (bytes--)
		number = number << 8 | frame->bytes[at++];
	return number;
}

static bool well_formed(const struct sent *frame)
{
	const u8 *bytes = frame->bytes;

	return frame->len == ETH_ZLEN && frame->priority == TC_PRIO_CONTROL &&
	       number_at(frame, 0, ETH_ALEN) == 0xffffffffffff &&
	       !memcmp(bytes + ETH_ALEN, dev[frame->port].dev_addr, ETH_ALEN) &&
	       number_at(frame, 12, 2) == ETH_P_802_EX1 &&
	       number_at(frame, AT_MAGIC, 4) == 0x7365656e &&
	       number_at(frame, AT_VERSION, 2) == 0x100 &&
	       number_at(frame, AT_PORT, 2) == port[frame->port].number &&
	       is_zero(bytes + AT_END, ETH_ZLEN - AT_END);
}

static void content(void)
{
	u32 i, j, alike = 0, good = 0, right = 0;
	struct sk_buff skb;

	begin(SEEN_ACTION_BLOCK);
	suspect(BACK);
	finish();
	for (i = 0; i < count; i++) {
		good += well_formed(&sent[i]);
		right += number_at(&sent[i], AT_TAG, 8) == tag_of(&sent[i]);
		for (j = 0; j < i; j++)
			alike += !memcmp(sent[i].bytes + AT_NONCE,
					 sent[j].bytes + AT_NONCE, 16);
	}
	ok(good == count && good, "a probe is a broadcast by its port");
	ok(right == count, "its tag is SipHash-2-4 of the payload");
	ok(!alike, "no two probes have the same nonce");
	skb = received(&sent[0], FIRST);
	ok(seen_probe_mine(&port[FIRST], &skb) && comes(&sent[0], FIRST).left ==
	   port[BACK].number, "the guard knows its own probes");
	skb.protocol = htons(ETH_P_IP);
	ok(!seen_probe_mine(&port[FIRST], &skb), "of their protocol alone");
}

/* --- proofs --------------------------------------------------------------- */

static void pause_lasts(u32 die, u64 low, u64 high, const char *what)
{
	u64 start;

	begin(SEEN_ACTION_BLOCK);
	fake_random = die;
	suspect(BACK);
	fake_run();
	start = seen_now();
	loops(&sent[0], FIRST);
	fake_run();
	later();
	ok(count == 2 && sent[1].port == BACK && sent[1].when >= start + low &&
	   sent[1].when <= start + high,
	   "the second proof is asked for %s", what);
}

static void second_proof(void)
{
	begin(SEEN_ACTION_BLOCK);
	suspect(BACK);
	fake_run();
	loops(&sent[0], FIRST);
	ok(guard.probe.stage == SEEN_PROBE_PAUSE && !blocks(),
	   "the first proof blocks no port");
	loops(&sent[0], FIRST);
	fake_run();
	loops(&sent[0], FIRST);
	ok(guard.probe.stage == SEEN_PROBE_PAUSE && !blocks() && count == 1,
	   "the same probe again blocks no port");
	later();
	loops(&sent[0], FIRST);
	ok(!blocks(), "not after the pause either");
	loops(&sent[1], FIRST);
	ok(seen_port_blocked(&port[BACK]) && blocks() == 1,
	   "a probe of the second stage blocks a port at once");
	ok(port[BACK].peer == port[FIRST].number,
	   "the other port is its peer");
	loops(&sent[1], FIRST);
	fake_run();
	ok(blocks() == 1 && is_idle() && count == 2,
	   "the block ends the round; there is no second block");
	ok(fake_events == 2 && fake_event_before == SEEN_CMD_PROBED_NTF &&
	   fake_event.cmd == SEEN_CMD_PORT_BLOCKED_NTF &&
	   !strcmp(fake_event.port, names[BACK]) &&
	   !strcmp(fake_event.other, names[FIRST]),
	   "the loop is reported before the block");
}

/* Probes that left by another port come in where the copies came back. */
static void other_direction(void)
{
	u32 i;

	begin(SEEN_ACTION_BLOCK);
	suspect(BACK);
	fake_run();
	while (sent[count - 1].port == BACK)
		later();
	for (i = 0; sent[i].port != FIRST; i++)
		;
	loops(&sent[i], BACK);
	fake_run();
	ok(guard.probe.stage == SEEN_PROBE_PAUSE && !blocks(),
	   "the last tries prove a loop, too");
	while (count < 13)
		later();
	for (i = 7; sent[i].port != FIRST; i++)
		;
	loops(&sent[i], BACK);
	ok(seen_port_blocked(&port[BACK]) && blocks() == 1,
	   "the port where copies came back is blocked");
}

/* A neighbour, as veth is one, forwards within dev_queue_xmit(). */
static void at_once(void)
{
	begin(SEEN_ACTION_BLOCK);
	instant = &port[FIRST];
	suspect(BACK);
	finish();
	ok(blocks() == 1 && seen_port_blocked(&port[BACK]) && count == 2,
	   "probes that come in while they are sent prove the loop");
}

static void not_repeated(void)
{
	begin(SEEN_ACTION_BLOCK);
	prove_once();
	finish();
	ok(!blocks() && found(SEEN_FINDING_KIND_UNCONFIRMED, BACK, -1, 1),
	   "a proof that is not repeated does not block");
	loops(&sent[1], FIRST);
	fake_run();
	ok(!blocks() && is_idle(), "a proof after the round does not block");
}

/* Nothing of this is a proof. Return: it is not. */
static bool unproved(void)
{
	return guard.probe.stage == SEEN_PROBE_FIRST && !blocks();
}

static void no_proofs(void)
{
	struct sent frame;
	u32 bit, bad = 0;

	begin(SEEN_ACTION_BLOCK);
	suspect(BACK);
	fake_run();
	loops(&sent[0], BACK);
	ok(unproved(), "a probe that comes in where it left proves nothing");
	passes(&sent[0], FIRST, THIRD);
	ok(unproved(), "a probe that would leave by a third port proves nothing");
	passes(&sent[0], FIRST, FIRST);
	ok(unproved(), "a probe that would leave by its own port proves nothing");
	passes(&sent[0], FIRST, -1);
	ok(unproved(), "a probe for the host proves nothing");
	for (bit = 0; bit < 8 * (AT_END - AT_MAGIC); bit++) {
		frame = sent[0];
		frame.bytes[AT_MAGIC + bit / 8] ^= 1 << bit % 8;
		loops(&frame, FIRST);
		bad += comes(&frame, FIRST).left != 0;
	}
	ok(unproved() && !bad, "a probe with any bit changed proves nothing");
	frame = sent[0];
	for (frame.len = ETH_HLEN; frame.len < AT_END; frame.len++)
		loops(&frame, FIRST);
	ok(unproved(), "a truncated probe proves nothing");
	ok(guard.probe.found.kind == SEEN_FINDING_KIND_PATH,
	   "a probe that came in by another port is a finding");
	loops(&sent[0], FIRST);
	ok(guard.probe.stage == SEEN_PROBE_PAUSE, "the unchanged probe proves a loop");
}

/* Another guard has asked for proofs in the same stage. */
static void strangers(void)
{
	struct sent frame;

	begin(SEEN_ACTION_BLOCK);
	suspect(BACK);
	fake_run();
	frame = sent[0];
	seen_probe_init(&guard.probe);
	loops(&frame, FIRST);
	ok(unproved() && !comes(&frame, FIRST).left &&
	   guard.probe.found.kind == SEEN_FINDING_KIND_UNCONFIRMED,
	   "a probe of another guard is not known");
}

static void old_stages(void)
{
	u32 first;

	begin(SEEN_ACTION_BLOCK);
	suspect(BACK);
	finish();
	clock_add(MINUTE);
	first = count;
	suspect(BACK);
	fake_run();
	loops(&sent[0], FIRST);
	ok(unproved() && guard.probe.found.kind == SEEN_FINDING_KIND_UNCONFIRMED,
	   "a probe of the last round proves nothing, and finds nothing");
	ok(comes(&sent[0], FIRST).left == port[BACK].number,
	   "but it is still recognised as a probe");
	loops(&sent[first], FIRST);
	ok(!unproved(), "a probe of this round proves a loop");
}

/* --- VLANs ---------------------------------------------------------------- */

static void begin_vlans(void)
{
	int i;

	begin(SEEN_ACTION_BLOCK);
	bridge.vlan_filtering = true;
	bridge.vlan_proto = ETH_P_8021Q;
	for (i = 0; i < PORTS; i++) {
		dev[i].pvid = VLAN;
		dev[i].vlans = 1U << VLAN;
		dev[i].untagged = 1U << VLAN;
	}
	/* A trunk. */
	dev[THIRD].pvid = 0;
	dev[THIRD].untagged = 0;
	dev[FOURTH].vlans = 0;
}

static const struct seen_vlan in_vlan = { htons(ETH_P_8021Q), VLAN };

static void tags(void)
{
	u32 at = 2;

	begin_vlans();
	suspect_in(BACK, in_vlan);
	finish();
	ok(were_sent(&at, 100, 1U << FIRST | 1U << THIRD),
	   "probes leave by the ports of their VLAN alone");
	ok(!sent[0].proto && !sent[2].proto && sent[3].port == THIRD &&
	   sent[3].proto == htons(ETH_P_8021Q) && sent[3].tci == VLAN,
	   "with a tag where the bridge would send one");
	ok(number_at(&sent[0], AT_PROTO, 2) == ETH_P_8021Q &&
	   number_at(&sent[0], AT_VLAN, 2) == VLAN, "and carry their VLAN");
	begin(SEEN_ACTION_BLOCK);
	suspect_in(BACK, in_vlan);
	fake_run();
	ok(sent[0].proto == htons(ETH_P_8021Q) && sent[0].tci == VLAN,
	   "a bridge without VLANs sends the tag of the copies");
}

static void vlan_proofs(void)
{
	struct sent frame;

	begin_vlans();
	suspect_in(BACK, in_vlan);
	fake_run();
	dev[FIRST].pvid = OTHER_VLAN;
	loops(&sent[0], FIRST);
	ok(unproved() && guard.probe.found.kind == SEEN_FINDING_KIND_LEAK &&
	   guard.probe.found.vlan == VLAN &&
	   guard.probe.found.into == OTHER_VLAN,
	   "a probe that comes in by another VLAN is a leak, and no proof");
	frame = sent[0];
	frame.proto = htons(ETH_P_8021Q);
	frame.tci = OTHER_VLAN;
	dev[FIRST].pvid = VLAN;
	loops(&frame, FIRST);
	ok(unproved(), "also by its tag");
	frame.tci = VLAN;
	loops(&frame, FIRST);
	ok(!unproved(), "with or without a tag, its VLAN makes the proof");
	begin(SEEN_ACTION_BLOCK);
	suspect_in(BACK, in_vlan);
	fake_run();
	frame = sent[0];
	frame.proto = htons(ETH_P_8021AD);
	loops(&frame, FIRST);
	ok(unproved(), "a tag of another protocol is another VLAN");
	frame.proto = 0;
	loops(&frame, FIRST);
	ok(unproved(), "and so is no tag, where the bridge has no VLANs");
	loops(&sent[0], FIRST);
	ok(!unproved(), "the tag that it left with makes the proof");
}

/* --- findings ------------------------------------------------------------- */

static void kinds(void)
{
	begin(SEEN_ACTION_BLOCK);
	round_of(BACK, BACK, FIRST);
	ok(found(SEEN_FINDING_KIND_PATH, BACK, FIRST, 1),
	   "a probe that came in by another port shows a path");
	begin(SEEN_ACTION_BLOCK);
	round_of(BACK, BACK, BACK);
	ok(found(SEEN_FINDING_KIND_REFLECTION, BACK, BACK, 1),
	   "a probe that came in where it left is a reflection");
	begin_vlans();
	suspect_in(BACK, in_vlan);
	fake_run();
	dev[FIRST].pvid = OTHER_VLAN;
	comes(&sent[0], FIRST);
	finish();
	ok(found(SEEN_FINDING_KIND_LEAK, BACK, FIRST, 1) &&
	   fake_event.finding->into == OTHER_VLAN,
	   "a probe that came in by another VLAN is a leak");
	begin(SEEN_ACTION_BLOCK);
	suspect(BACK);
	fake_run();
	comes(&sent[0], BACK);
	comes(&sent[0], THIRD);
	comes(&sent[0], BACK);
	finish();
	ok(found(SEEN_FINDING_KIND_PATH, BACK, THIRD, 1),
	   "the strongest finding of a round is reported");
	begin(SEEN_ACTION_BLOCK);
	prove_once();
	passes(&sent[1], FIRST, BACK);
	seen_probe_work(&guard, true);
	ok(found(SEEN_FINDING_KIND_LOOP, BACK, FIRST, 1), "a loop by two proofs");
}

static void counts(void)
{
	struct seen_finding findings[SEEN_FINDINGS];
	u32 i, vlans = 0;

	begin(SEEN_ACTION_BLOCK);
	round_of(BACK, BACK, FIRST);
	clock_add(MINUTE);
	round_of(BACK, FIRST, BACK);
	ok(found(SEEN_FINDING_KIND_PATH, FIRST, BACK, 2),
	   "a path is the same in both directions, and counted");
	clock_add(MINUTE);
	round_of(BACK, BACK, THIRD);
	ok(found(SEEN_FINDING_KIND_PATH, BACK, THIRD, 1),
	   "other ports make another finding");
	clock_add(MINUTE);
	round_of(BACK, BACK, BACK);
	ok(found(SEEN_FINDING_KIND_REFLECTION, BACK, BACK, 1),
	   "another kind makes another finding");
	seen_probe_findings(&guard, findings);
	ok(findings[0].count + findings[1].count + findings[2].count == 4 &&
	   !findings[3].count, "a guard keeps its findings");
	begin(SEEN_ACTION_BLOCK);
	for (i = 1; i <= SEEN_FINDINGS + 1; i++) {
		suspect_in(BACK, (struct seen_vlan) { htons(ETH_P_8021Q), i });
		finish();
		clock_add(MINUTE);
	}
	seen_probe_findings(&guard, findings);
	for (i = 0; i < SEEN_FINDINGS; i++)
		vlans |= 1U << findings[i].vlan;
	ok(vlans == 0x3c, "the fifth finding replaces the oldest");
}

/* --- when ----------------------------------------------------------------- */

static u32 rounds(int back, u32 times)
{
	u32 begun = 0;

	while (times--) {
		count = 0;
		suspect(back);
		begun += !is_idle();
		finish();
	}
	return begun;
}

static void rate(void)
{
	u64 start;

	begin(SEEN_ACTION_BLOCK);
	start = seen_now();
	suspect(BACK);
	suspect(THIRD);
	ok(guard.probe.back == port[BACK].number && !port[THIRD].rounds,
	   "there is one round at a time");
	finish();
	ok(rounds(BACK, 3) == 3 && rounds(BACK, 10) == 0,
	   "a port has four rounds of probes a minute");
	ok(rounds(THIRD, 10) == 4, "another port has its own");
	clock_set(start + MINUTE - 1);
	ok(rounds(BACK, 1) == 0,
	   "a ns before the end of the minute there is no round");
	clock_set(start + MINUTE);
	ok(rounds(BACK, 1) == 1, "then there is the next round");
}

static bool silent(u32 action, bool no_probe, bool paused)
{
	begin(action);
	guard.config.no_probe = no_probe;
	guard.config.paused = paused;
	suspect(BACK);
	fake_run();
	return is_idle() && !count && !port[BACK].rounds && !fake_events;
}

/* The guard is changed while a round goes on. */
static bool falls_silent(u32 action, bool no_probe, bool paused)
{
	begin(SEEN_ACTION_BLOCK);
	prove_once();
	guard.config.action = action;
	guard.config.no_probe = no_probe;
	guard.config.paused = paused;
	loops(&sent[1], FIRST);
	finish();
	return count == 2 && !blocks() && !fake_events &&
	       !guard.probe.findings[0].count;
}

static void permission(void)
{
	ok(silent(SEEN_ACTION_BLOCK, true, false), "no-probe: no probes");
	ok(silent(SEEN_ACTION_BLOCK, false, true), "paused: no probes");
	ok(silent(SEEN_ACTION_DROP, false, false) &&
	   silent(SEEN_ACTION_MARK, false, false), "drop and mark: no probes");
	ok(falls_silent(SEEN_ACTION_BLOCK, true, false) &&
	   falls_silent(SEEN_ACTION_BLOCK, false, true) &&
	   falls_silent(SEEN_ACTION_DROP, false, false),
	   "each of these ends a round, without a proof and a finding");
}

static void dry_run(void)
{
	begin(SEEN_ACTION_COUNT);
	prove_once();
	loops(&sent[1], FIRST);
	ok(port[BACK].would_block == 1 && !port[BACK].blocks &&
	   !seen_port_blocked(&port[BACK]),
	   "count: two proofs would block a port");
	fake_run();
	ok(fake_event_before == SEEN_CMD_PROBED_NTF &&
	   fake_event.cmd == SEEN_CMD_WOULD_BLOCK_NTF, "that is reported");
}

/* Limits on repeats last until a suspicion is answered. */
static void answers(void)
{
	begin(SEEN_ACTION_BLOCK);
	spin_lock_bh(&guard.evidence_lock);
	seen_repeat_suspect(&port[FIRST], seen_now());
	seen_repeat_suspect(&port[BACK], seen_now());
	seen_repeat_suspect(&port[THIRD], seen_now());
	spin_unlock_bh(&guard.evidence_lock);
	suspect(BACK);
	fake_run();
	later();
	ok(seen_repeat_signed(&port[FIRST], 0) &&
	   seen_repeat_signed(&port[BACK], 0),
	   "while a round runs there is a sign");
	finish();
	ok(!seen_repeat_signed(&port[FIRST], 0) &&
	   !seen_repeat_signed(&port[BACK], 0) &&
	   seen_repeat_signed(&port[THIRD], 0),
	   "its end removes the sign from both ports");
}

/* As guard_conf.c leaves a guard that is deleted: without ports; its binding is freed. */
static void retired(void)
{
	begin(SEEN_ACTION_BLOCK);
	prove_once();
	INIT_LIST_HEAD(&guard.ports);
	guard.binding = NULL;
	finish();
	ok(!fake_events, "a guard is deleted in a round: its work ends, and reports nothing");
}

/* Another guard takes the place of the guard, and its ports have the old numbers. */
static void followed(void)
{
	struct seen_probe old;
	struct sk_buff skb;

	begin(SEEN_ACTION_BLOCK);
	suspect(BACK);
	fake_run();
	old = guard.probe;
	seen_probe_init(&guard.probe);
	guard.probe.stage = SEEN_PROBE_IDLE;
	seen_probe_follow(&guard.probe, &old);
	skb = received(&sent[0], FIRST);
	ok(seen_probe_mine(&port[FIRST], &skb), "the next guard knows probes of the one before");
	ok(comes(&sent[0], FIRST).left && !comes(&sent[0], FIRST).fresh,
	   "they are recognised as old");
	suspect(BACK);
	loops(&sent[0], FIRST);
	ok(unproved() && !comes(&sent[0], FIRST).fresh,
	   "old probes prove nothing in its first round");
}

int main(void)
{
	test_begin(77);
	seen_vlan_get();
	tries();
	open_ports();
	content();
	pause_lasts(0, 50 * MS, 51 * MS, "after 50 ms");
	pause_lasts(U32_MAX, 299 * MS, 300 * MS, "within 300 ms");
	second_proof();
	other_direction();
	at_once();
	not_repeated();
	no_proofs();
	strangers();
	old_stages();
	tags();
	vlan_proofs();
	kinds();
	counts();
	rate();
	permission();
	dry_run();
	answers();
	retired();
	followed();
	return test_end();
}
