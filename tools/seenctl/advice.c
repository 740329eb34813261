// SPDX-License-Identifier: GPL-2.0
/* Notes about parameters of a guard that were probably not intended. */
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "seenctl.h"

/* Above this false-positive rate a filter should not drop packets. */
#define RATE_MOST	0.00001
#define RATE_BETTER	0.000001
#define WINDOW		1000000000

static void advise_bridge(const char *dev)
{
	const struct device device = device_get(dev);

	if (!*device.bridge)
		return;
	advise("%s is %s bridge%s%s. A guard of one device finds no loop between a bridge's ports.",
	       dev, device.port ? "a port of" : "a", device.port ? " " : "",
	       device.port ? device.bridge : "");
	advise("use instead: seenctl guard del dev %s; seenctl guard add bridge %s profile loop",
	       dev, device.bridge);
}

/* Suggest a similar filter with a window, and with a rate that is low enough for action drop. */
static void advise_window(const struct seen_filter_config *config)
{
	char key[SEEN_KEY_SPEC_LEN], window[TEXT_LEN], capacity[64];
	double rate = real_rate(config->fpp);

	seen_key_spec_format(&config->key, key);
	snprintf(capacity, sizeof(capacity), "type cuckoo capacity %ju",
		 (uintmax_t)config->capacity);
	advise("use this filter instead: seenctl filter add NEW %s window %s fpp %g key %s",
	       capacity,
	       text_exact(window, config->window ? config->window : WINDOW),
	       rate > RATE_MOST || !rate ? RATE_BETTER : rate, key);
}

static void advise_drop(const struct seen_guard_config *guard)
{
	bool stores = guard->verdict == SEEN_VERDICT_DUP ||
		      guard->verdict == SEEN_VERDICT_OTHER_PORT;
	struct seen_filter_info info;
	bool endless, errs;
	double rate;

	/* The filter of a profile has suitable parameters. */
	if (seen_filter_get(ctl.client, guard->filter, &info) || info.guard_owned)
		return;
	rate = real_rate(info.config.fpp);
	endless = stores && !info.config.window;
	errs = rate > RATE_MOST && guard->verdict != SEEN_VERDICT_HEAVY;
	if (endless)
		advise("filter %s has no window: repeated packets are dropped without a time limit",
		       guard->filter);
	if (errs)
		advise("filter %s may drop one of %.0f new packets",
		       guard->filter, 1 / rate);
	if (endless && info.config.type == SEEN_TYPE_BITMAP)
		advise("use instead: verdict listed, which does not store packets");
	else if (endless || (errs && stores))
		advise_window(&info.config);
	else if (errs)
		advise("use instead: an exact filter (map, bitmap), or fpp %g", RATE_BETTER);
}

static bool has_port(const struct seen_guard_info *guard, const char *name)
{
	const struct seen_port_info *port;

	for (size_t i = 0; (port = seen_ports_at(guard->ports, i)); i++)
		if (!strcmp(port->name, name))
			return true;
	return false;
}

/* The name may belong to a future port. */
static void advise_protect(const struct seen_guard_info *guard)
{
	const struct seen_guard_config *config = &guard->config;

	for (uint32_t i = 0; i < config->protects; i++)
		if (!has_port(guard, config->protect[i]))
			advise("%s is not a port of %s; the guard protects it once it becomes one",
			       config->protect[i], config->id.dev);
}

static void advise_trail_ports(const struct seen_guard_info *guard)
{
	const struct seen_trail_config *trail = &guard->config.trail;

	for (uint32_t i = 0; i < trail->ports; i++)
		if (!has_port(guard, trail->port[i].name))
			advise("%s is not a port of %s; edge or segment applies once it is one",
			       trail->port[i].name, guard->config.id.dev);
}

/* Does br_netfilter cut the frames of this namespace's bridges to the length of their packet? */
static bool cuts(const char *path)
{
	FILE *file = fopen(path, "r");
	int value = 0;

	if (!file)
		return false;
	if (fscanf(file, "%d", &value) != 1)
		value = 0;
	fclose(file);
	return value;
}

/* A profile's filter has a secret of its own, which no other guard has. */
static bool has_own_secret(const struct seen_guard_config *config)
{
	struct seen_filter_info info;

	return !seen_filter_get(ctl.client, config->filter, &info) && info.guard_owned;
}

static void advise_trail(const struct seen_guard_config *config)
{
	if (config->trail.auth && has_own_secret(config))
		advise("trail-auth: no other guard knows the secret of filter %s; give filter NAME",
		       config->filter);
	if (config->trail.mode && (cuts("/proc/sys/net/bridge/bridge-nf-call-iptables") ||
				   cuts("/proc/sys/net/bridge/bridge-nf-call-ip6tables")))
		advise("br_netfilter cuts trails off: set bridge-nf-call-{ip,ip6}tables to 0");
}

static void advise_port(const struct seen_port_info *port)
{
	if (port->gro && !port->self)
		advise("port %s has GRO on: merged packets pass unjudged; ethtool -K %s gro off",
		       port->name, port->name);
	if (port->offloaded)
		advise("port %s forwards in hardware, which bypasses the guard",
		       port->name);
}

void advise_made(const struct seen_guard_info *guard)
{
	const struct seen_port_info *port;
	static bool advised;

	for (size_t i = 0; (port = seen_ports_at(guard->ports, i)); i++)
		advise_port(port);
	if (advised)
		return;
	advised = true;
	advise("flowtables, XDP redirect and hardware forwarding bypass a guard");
}

void advise_drops(void)
{
	static bool advised;

	if (advised)
		return;
	advised = true;
	advise("tcpdump on a guarded port still shows dropped copies, because it runs first");
	advise("rx_dropped does not count dropped frames; skb:kfree_skb reports NETFILTER_DROP");
}

void advise_guard(const struct seen_guard_info *guard)
{
	const struct seen_guard_config *config = &guard->config;

	if (config->id.kind == SEEN_GUARD_KIND_DEV &&
	    config->profile == SEEN_GUARD_PROFILE_LOOP)
		advise_bridge(config->id.dev);
	if (config->action == SEEN_ACTION_DROP)
		advise_drop(config);
	advise_protect(guard);
	advise_trail(config);
	advise_trail_ports(guard);
}
