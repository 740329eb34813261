// SPDX-License-Identifier: GPL-2.0
/* Print the versions of the tool, the library, and the module if it is loaded. */
#include <stdio.h>
#include <string.h>

#include <netlink/genl/ctrl.h>
#include <netlink/genl/family.h>
#include <netlink/genl/genl.h>

#include "seenctl.h"
#include "version.h"

/* Read the line of a file in /sys/module/seen; "" without the file. */
static void version_line(const char *name, char *line, size_t size)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/sys/module/seen/%s", name);
	*line = '\0';
	file = fopen(path, "re");
	if (!file)
		return;
	if (fgets(line, size, file))
		line[strcspn(line, "\n")] = '\0';
	fclose(file);
}

/* List all families, because a request for the family by its name would load the module. */
unsigned int version_family(void)
{
	struct nl_sock *sock = nl_socket_alloc();
	struct genl_family *family = NULL;
	struct nl_cache *cache = NULL;
	unsigned int version = 0;

	if (sock && !genl_connect(sock) && !genl_ctrl_alloc_cache(sock, &cache))
		family = genl_ctrl_search_by_name(cache, SEEN_FAMILY_NAME);
	if (family) {
		version = genl_family_get_version(family);
		genl_family_put(family);
	}
	nl_cache_free(cache);
	nl_socket_free(sock);
	return version;
}

static void version_json(const char *module, const char *source,
			 unsigned int family)
{
	json_open(NULL, '{');
	json_text("seenctl", SEEN_VERSION);
	json_text("libseen", seen_version());
	json_bool("loaded", family);
	if (family) {
		if (*module)
			json_text("module", module);
		if (*source)
			json_text("srcversion", source);
		json_number("family", family);
	}
	json_close();
}

int version_tell(void)
{
	char module[64], source[64];
	unsigned int family = version_family();

	version_line("version", module, sizeof(module));
	version_line("srcversion", source, sizeof(source));
	if (ctl.json) {
		version_json(module, source, family);
		return DONE;
	}
	printf("seenctl %s", SEEN_VERSION);
	next_line();
	printf("libseen %s", seen_version());
	next_line();
	printf("module");
	if (!family) {
		puts(" not loaded");
		return DONE;
	}
	if (*module)
		printf(" %s", module);
	if (*source)
		put("srcversion", "%s", source);
	put("family", "%u\n", family);
	return DONE;
}
