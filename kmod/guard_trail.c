// SPDX-License-Identifier: GPL-2.0
/* Trails in a guard; guard_trail.h. */
#include <linux/percpu.h>
#include <linux/rtnetlink.h>

#include "guard_trail.h"
#include "guard_verdict.h"

/* Each frame needs another nonce than the frames around it. The secret makes bits of it random. */
static DEFINE_PER_CPU(u16, trail_nonce);

/* Returns false if the guard is being deleted. */
static bool trail_domain(const struct seen_port *port, struct seen_trail_domain *domain)
{
	const struct seen_trail_config *config = &port->guard->config.trail;
	const struct seen_filter *filter = rcu_dereference(port->guard->binding->filter);

	if (!filter)
		return false;
	domain->secret = filter->secret;
	domain->wide = config->wide;
	domain->sign = config->sign;
	return true;
}

void seen_trail_read_frame(const struct seen_port *port, const struct seen_packet *packet,
			   struct sk_buff *skb, struct seen_passage *passage)
{
	passage->kind = SEEN_TRAILER_NEVER;
	if (packet->skb && trail_domain(port, &passage->domain))
		passage->kind = seen_trailer_find(&passage->domain, packet, skb,
						  &passage->trailer, &passage->trail);
}

static struct seen_trail_bits trail_segment(const struct seen_passage *passage, u32 segment)
{
	const struct seen_trail_member member = { .kind = SEEN_TRAIL_SEGMENT, .id = segment };

	return seen_trail_draw(&passage->domain, &member, passage->trail.nonce);
}

static struct seen_trail_bits trail_node(const struct seen_passage *passage,
					 const struct seen_port *port, struct seen_vlan vlan)
{
	const struct seen_trail_member member = {
		.kind = SEEN_TRAIL_NODE, .id = port->guard->config.trail.node, .vlan = vlan.id,
	};

	return seen_trail_draw(&passage->domain, &member, passage->trail.nonce);
}

static void trail_write(struct seen_port *port, const struct seen_passage *passage)
{
	u32 room = READ_ONCE(port->guard->trail_room);
	bool written = passage->kind == SEEN_TRAILER_PRESENT ?
		seen_trailer_rewrite(&passage->domain, &passage->trailer, &passage->trail,
				     room) :
		seen_trailer_append(&passage->domain, &passage->trailer, &passage->trail, room);

	if (!written)
		seen_port_count(port, SEEN_COUNT_TRAIL_NONE);
	else if (passage->kind == SEEN_TRAILER_ABSENT)
		seen_port_count(port, SEEN_COUNT_TRAIL_ADDED);
	/* Without a new trail behind it a stranger's trail would count at the next node. */
	if (!written && READ_ONCE(port->edge))
		seen_trailer_strip_all(&passage->domain, &passage->trailer);
}

/* The second hit. */
static unsigned int trail_end(struct seen_port *port, struct sk_buff *skb,
			      const struct seen_trail *trail, const struct seen_link *link)
{
	seen_port_count(port, SEEN_COUNT_TRAIL_LOOP);
	seen_port_saw(port, link, 0);
	/* It has passed all nodes of the loop, and one of them again. */
	WRITE_ONCE(port->circle, max_t(u8, trail->hops, 1) - 1);
	seen_port_tell(port, SEEN_TELL_CIRCLED);
	return seen_guard_act(port, skb);
}

/* The device may be asked to keep the checksum of a frame, which are then its last bytes. */
static bool trail_ends_with_fcs(const struct seen_port *port)
{
	return port->dev->features & NETIF_F_RXFCS;
}

unsigned int seen_trail_pass(struct seen_port *port, struct sk_buff *skb,
			     struct seen_passage *passage, const struct seen_link *link,
			     struct seen_vlan vlan)
{
	u32 segment = READ_ONCE(port->segment);
	struct seen_trail_bits bits;

	if (passage->kind == SEEN_TRAILER_NEVER || trail_ends_with_fcs(port)) {
		seen_port_count(port, SEEN_COUNT_TRAIL_NONE);
		return NF_ACCEPT;
	}
	if (READ_ONCE(port->edge))
		passage->kind = SEEN_TRAILER_ABSENT;
	if (passage->kind == SEEN_TRAILER_ABSENT)
		passage->trail = (struct seen_trail) {
			.nonce = this_cpu_inc_return(trail_nonce),
		};
	bits = trail_node(passage, port, vlan);
	switch (seen_trail_visit(&passage->trail, &bits)) {
	case SEEN_TRAIL_LOOP:
		return trail_end(port, skb, &passage->trail, link);
	case SEEN_TRAIL_STRIKE:
		seen_port_count(port, SEEN_COUNT_TRAIL_STRIKE);
		break;
	case SEEN_TRAIL_ADDED:
		break;
	}
	if (segment) {
		bits = trail_segment(passage, segment);
		seen_trail_add(&passage->trail, &bits);
	}
	trail_write(port, passage);
	return NF_ACCEPT;
}

/* Parse a frame that leaves by @port, and read its trail; false: the frame has no trail. */
static bool trail_read(const struct seen_port *port, struct sk_buff *skb,
		       struct seen_passage *passage)
{
	struct seen_packet packet __uninitialized;

	if (!seen_packet_parse(&packet, skb))
		return false;
	seen_trail_read_frame(port, &packet, skb, passage);
	return passage->kind == SEEN_TRAILER_PRESENT;
}

/* Action count is a dry run, and with action mark other rules decide. */
static bool trail_drops(const struct seen_guard *guard)
{
	u32 action = READ_ONCE(guard->config.action);

	return action == SEEN_ACTION_DROP || action == SEEN_ACTION_BLOCK;
}

unsigned int seen_trail_leave(struct seen_port *port, struct sk_buff *skb)
{
	u32 segment = port ? READ_ONCE(port->segment) : 0;
	struct seen_passage passage;
	struct seen_trail_bits bits;

	if (!segment || seen_guard_idle(port) || !trail_read(port, skb, &passage))
		return NF_ACCEPT;
	bits = trail_segment(&passage, segment);
	if (!seen_trail_has(&passage.trail, &bits))
		return NF_ACCEPT;
	seen_port_count(port, SEEN_COUNT_TRAIL_WITHHELD);
	return trail_drops(port->guard) ? NF_DROP : NF_ACCEPT;
}

void seen_trail_strip(struct seen_port *port, struct sk_buff *skb)
{
	struct seen_passage passage;

	if (!READ_ONCE(port->edge) || seen_guard_idle(port) ||
	    !trail_read(port, skb, &passage))
		return;
	seen_port_count(port, seen_trailer_strip(&passage.domain, &passage.trailer) ?
			      SEEN_COUNT_TRAIL_STRIPPED : SEEN_COUNT_TRAIL_NONE);
}

/* The bridge's later hooks count the frame; here only its trail is of interest. */
unsigned int seen_trail_out(void *priv, struct sk_buff *skb,
			    const struct nf_hook_state *state)
{
	const struct seen_port_hooks *hooks = priv;
	struct seen_port *port = rcu_dereference(hooks->port);
	struct seen_packet packet __uninitialized;
	struct seen_passage passage;

	if (seen_guard_idle(port) || !seen_guard_wants(port, skb) ||
	    !seen_packet_parse(&packet, skb))
		return NF_ACCEPT;
	seen_trail_read_frame(port, &packet, skb, &passage);
	return seen_trail_pass(port, skb, &passage, &packet.link,
			       seen_vlan_domain(port, port->dev, skb).vlan);
}

void seen_trail_fit(struct seen_guard *guard)
{
	u32 room = guard->config.trail.most;
	const struct seen_port *port;

	ASSERT_RTNL();
	list_for_each_entry(port, &guard->ports, list)
		room = min(room, READ_ONCE(port->dev->mtu));
	WRITE_ONCE(guard->trail_room, room);
}
