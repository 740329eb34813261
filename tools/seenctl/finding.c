// SPDX-License-Identifier: GPL-2.0
/* Print results of probes, and frames that came again. */
#include <inttypes.h>
#include <stdio.h>

#include "color.h"
#include "wrap.h"

void dup_text(const struct seen_dup_info *dup)
{
	char text[TEXT_LEN];

	put("smac", "%s%s%s", COLORED(COLOR_ADDRESS, text_mac(text, dup->smac)));
	put("dmac", "%s%s%s", COLORED(COLOR_ADDRESS, text_mac(text, dup->dmac)));
	if (dup->tagged)
		put("vlan", "%u", dup->vlan);
	put("ethertype", "0x%04x", dup->ethertype);
	if (*dup->port)
		put("port", "%s", dup->port);
	if (*dup->first)
		put("first-port", "%s", dup->first);
	put("age", "%s", text_about(text, dup->age));
}

void dup_json(const char *key, const struct seen_dup_info *dup)
{
	char text[TEXT_LEN];

	json_open(key, '{');
	json_text("smac", text_mac(text, dup->smac));
	json_text("dmac", text_mac(text, dup->dmac));
	if (dup->tagged)
		json_number("vlan", dup->vlan);
	json_number("ethertype", dup->ethertype);
	if (*dup->port)
		json_text("port", dup->port);
	if (*dup->first)
		json_text("first-port", dup->first);
	json_number("age", dup->age);
	json_close();
}

void finding_text(const struct seen_finding_info *finding)
{
	const char *port = finding->port, *other = finding->other;
	char vlan[TEXT_LEN] = "";

	if (finding->vlan)
		snprintf(vlan, sizeof(vlan), ", VLAN %u", finding->vlan);
	switch (finding->kind) {
	case SEEN_FINDING_KIND_LOOP:
		wrap_words("loop: %s - %s%s", port, other, vlan);
		break;
	case SEEN_FINDING_KIND_PATH:
		wrap_words("path: %s - %s, connected outside;", port, other);
		wrap_words("the bridge does not forward between them%s", vlan);
		break;
	case SEEN_FINDING_KIND_LEAK:
		wrap_words("leak: %s - %s%s leaks into %u", port, other, vlan,
			   finding->into);
		break;
	case SEEN_FINDING_KIND_REFLECTION:
		wrap_words("reflection: %s receives its own frames,", port);
		wrap_words("from a loop or reflector behind it%s", vlan);
		break;
	case SEEN_FINDING_KIND_TRAIL:
		wrap_words("loop through %ju node%s: port %s", (uintmax_t)finding->nodes,
			   finding->nodes == 1 ? "" : "s", port);
		break;
	default:
		wrap_words("unconfirmed: copies on %s, but no loop is proved%s",
			   port, vlan);
	}
}

void finding_json(const char *key, const struct seen_finding_info *finding)
{
	json_open(key, '{');
	json_text("kind", seen_word(&seen_findings, finding->kind));
	json_text("port", finding->port);
	if (*finding->other)
		json_text("other", finding->other);
	if (finding->vlan)
		json_number("vlan", finding->vlan);
	if (finding->kind == SEEN_FINDING_KIND_LEAK)
		json_number("into", finding->into);
	if (finding->kind == SEEN_FINDING_KIND_TRAIL)
		json_number("nodes", finding->nodes);
	json_number("count", finding->count);
	json_number("age", finding->age);
	json_close();
}
