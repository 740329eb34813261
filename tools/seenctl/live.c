// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <string.h>

#include "device.h"
#include "fleet_status.h"
#include "live.h"
#include "offer.h"
#include "version.h"

static const char *live_space;

void live_netns(const char *name)
{
	live_space = name;
}

/* Enter the namespace when the first name is needed. */
static bool live_enter(void)
{
	const char *name = live_space;

	live_space = NULL;
	return !name || enter_netns(name) == DONE;
}

/* A request to a module that is not loaded would load it. */
static bool live_connect(void)
{
	return live_enter() && version_family() && connect_kernel() == DONE;
}

static bool filter_exists(const struct seen_filter_info *info)
{
	return !info->missing;
}

static bool filter_missing(const struct seen_filter_info *info)
{
	return info->missing;
}

static bool filter_named(const struct seen_filter_info *info)
{
	(void)info;
	return true;
}

static bool filter_is_map(const struct seen_filter_info *info)
{
	return info->config.type == SEEN_TYPE_MAP;
}

static bool filter_is_sketch(const struct seen_filter_info *info)
{
	return info->config.type == SEEN_TYPE_CMS || info->config.type == SEEN_TYPE_CMM;
}

static void offer_filters(bool (*fits)(const struct seen_filter_info *info))
{
	const struct seen_filter_info *info;
	struct seen_filters *list;

	if (!live_connect() || seen_filter_list(ctl.client, &list))
		return;
	for (size_t i = 0; (info = seen_filters_at(list, i)); i++)
		if (fits(info))
			offer(info->config.name);
	seen_filters_free(list);
}

/* Only these commands accept the name of a missing filter; import makes or replaces a filter. */
static void offer_filter(const struct live_place *place)
{
	bool filter = !strcmp(place->object, "filter");

	if (filter && !strcmp(place->command, "add"))
		offer_filters(filter_missing);
	else if (filter && (!strcmp(place->command, "show") || !strcmp(place->command, "import")))
		offer_filters(filter_named);
	else
		offer_filters(filter_exists);
}

static void offer_map(const struct live_place *place)
{
	(void)place;
	offer_filters(filter_is_map);
}

static void offer_sketch(const struct live_place *place)
{
	(void)place;
	offer_filters(filter_is_sketch);
}

static void offer_group(const struct live_place *place)
{
	struct fleet fleet;

	/* A guard's GROUP is an address. */
	if (strcmp(place->object, "fleet"))
		return;
	if (!fleet_get(&fleet, FLEET_SOCKET, true))
		for (size_t i = 0; i < fleet.groups; i++)
			offer(fleet.group[i].name);
	fleet_free(&fleet);
}

/* Offer the devices that have a guard. */
static void offer_guards(uint32_t kind)
{
	const struct seen_guard_info *guard;
	struct seen_guards *list;

	if (!live_connect() || seen_guard_list(ctl.client, &list))
		return;
	for (size_t i = 0; (guard = seen_guards_at(list, i)); i++)
		if (guard->config.id.kind == kind)
			offer(guard->config.id.dev);
	seen_guards_free(list);
}

static bool makes_guard(const struct live_place *place)
{
	return !strcmp(place->command, "add") || !strcmp(place->command, "replace");
}

static void offer_if_device(const char *name, const struct device *device, void *context)
{
	(void)device;
	(void)context;
	offer(name);
}

static void offer_if_bridge(const char *name, const struct device *device, void *context)
{
	(void)context;
	if (!device->port && !strcmp(device->bridge, name))
		offer(name);
}

static void offer_if_port(const char *name, const struct device *device, void *context)
{
	const struct live_place *place = context;

	if (device->port && (!place->bridge || !strcmp(device->bridge, place->bridge)))
		offer(name);
}

static void offer_device(const struct live_place *place)
{
	if (!makes_guard(place))
		offer_guards(SEEN_GUARD_KIND_DEV);
	else if (live_enter())
		device_each(offer_if_device, NULL);
}

static void offer_bridge(const struct live_place *place)
{
	if (!makes_guard(place))
		offer_guards(SEEN_GUARD_KIND_BRIDGE);
	else if (live_enter())
		device_each(offer_if_bridge, NULL);
}

static void offer_port(const struct live_place *place)
{
	if (live_enter())
		device_each(offer_if_port, (void *)place);
}

static void offer_file(const struct live_place *place)
{
	(void)place;
	offers.paths = "files";
}

static void offer_folder(const struct live_place *place)
{
	(void)place;
	offers.paths = "folders";
}

static void offer_program(const struct live_place *place)
{
	(void)place;
	offers.paths = "programs";
}

/* Another filter, or another file. */
static void offer_other(const struct live_place *place)
{
	if (strcmp(place->object, "file"))
		offer_filter(place);
	else
		offer_file(place);
}

static void offer_spec(const struct live_place *place)
{
	(void)place;
	offer_key(true);
}

static void offer_field(const struct live_place *place)
{
	(void)place;
	offer_key(false);
}

static void offer_event(const struct live_place *place)
{
	(void)place;
	offer_events();
}

/* The other values are numbers, times and new names. */
static const struct {
	const char *value;
	void (*offer)(const struct live_place *place);
} live_values[] = {
	{ "NAME", offer_filter },
	{ "FILTER", offer_sketch },
	{ "OTHER", offer_other },
	{ "MAP", offer_map },
	{ "GROUP", offer_group },
	{ "DEV", offer_device },
	{ "BR", offer_bridge },
	{ "PORT", offer_port },
	{ "FILE", offer_file },
	{ "LIST", offer_file },
	{ "IN", offer_file },
	{ "OUT", offer_file },
	{ "PATH", offer_file },
	{ "DIR", offer_folder },
	{ "PROGRAM", offer_program },
	{ "K", offer_spec },
	{ "SPEC", offer_spec },
	{ "FIELD", offer_field },
	{ "EVENT", offer_event },
};

void live_offer(const struct live_place *place, const char *value, size_t len)
{
	/* EVENT[,EVENT] is a list of EVENT. */
	const char *more = memchr(value, '[', len);

	if (more)
		len = more - value;
	for (size_t i = 0; i < ARRAY_SIZE(live_values); i++)
		if (strlen(live_values[i].value) == len &&
		    !memcmp(live_values[i].value, value, len))
			live_values[i].offer(place);
}

void live_offer_spaces(void)
{
	DIR *dir = opendir("/run/netns");
	const struct dirent *entry;

	if (!dir)
		return;
	while ((entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			offer(entry->d_name);
	closedir(dir);
}
