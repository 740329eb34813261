// SPDX-License-Identifier: GPL-2.0
/*
 * Appends trails to frames by the kernel's code. Each line of standard input is
 *
 *	FORMAT NODES VISITS FRAME
 *
 * FORMAT is "plain", "wide", "signed" or "wide,signed"; the frame, in hex digits, visits NODES
 * nodes in turn. For each line prints the frame with its trail, and after a blank the trail's
 * values with commas between: filter, bits set, tag, nonce, version, wide, signed, strike, hops,
 * length.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "le.h"
#include "trail.h"

#define ETH_ALEN	6
#define PADDED		60
#define DIGITS_MAX	4000

/* Return: length of the frame, padded. */
static u32 frame_read(const char *hex, u8 *frame)
{
	u32 len = strlen(hex) / 2, i;

	memset(frame, 0, PADDED);
	for (i = 0; i < len; i++)
		if (sscanf(hex + 2 * i, "%2hhx", &frame[i]) != 1)
			exit(1);
	return len < PADDED ? PADDED : len;
}

/* Offset of the network header, behind all tags. */
static u32 frame_net(const u8 *frame)
{
	u32 type = 2 * ETH_ALEN;

	while (!memcmp(frame + type, "\x81\x00", 2) || !memcmp(frame + type, "\x88\xa8", 2))
		type += 4;
	return type + 2;
}

static struct seen_trail trail_make(const struct seen_trail_domain *domain, u16 nonce, u32 nodes,
				    u32 visits)
{
	struct seen_trail_member node = { .kind = SEEN_TRAIL_NODE };
	struct seen_trail trail = { .nonce = nonce };
	struct seen_trail_bits bits;
	u32 i;

	for (i = 0; i < visits; i++) {
		node.id = i % nodes;
		bits = seen_trail_draw(domain, &node, nonce);
		seen_trail_visit(&trail, &bits);
	}
	return trail;
}

static void values_print(const struct seen_trail_domain *domain, const struct seen_trail *trail,
			 const u8 *end, u32 length)
{
	u32 words = domain->wide ? SEEN_TRAIL_WORDS : SEEN_TRAIL_WORDS / 2, bits = 0, i;

	for (i = 0; i < 8 * words; i++)
		printf("%02x", (u8)(trail->filter[i / 8] >> 8 * (i % 8)));
	for (i = 0; i < words; i++)
		bits += __builtin_popcountll(trail->filter[i]);
	printf(",%u,", bits);
	if (domain->sign)
		printf("0x%08x", seen_le32_get(end + 8 * words));
	printf(",0x%04x,1,%d,%d,%d,%u,%u\n", trail->nonce, domain->wide, domain->sign,
	       trail->strike, trail->hops, length);
}

int main(void)
{
	struct seen_trail_domain domain = { .secret = { { 1, 2 } } };
	char format[20], hex[DIGITS_MAX + 1];
	u32 nodes, visits, len, bytes, net, i;
	u8 frame[DIGITS_MAX / 2 + SEEN_TRAIL_BYTES_MAX], *end;
	struct seen_trail trail;
	u16 nonce = 0;

	while (scanf("%19s %u %u %4000s", format, &nodes, &visits, hex) == 4) {
		domain.wide = strstr(format, "wide");
		domain.sign = strstr(format, "signed");
		len = frame_read(hex, frame);
		net = frame_net(frame);
		bytes = seen_trail_bytes(&domain);
		end = frame + len;
		len += bytes;
		trail = trail_make(&domain, nonce += 0x1235, nodes, visits);
		seen_trail_write(&domain, frame, &trail, len - net, end);
		for (i = 0; i < len; i++)
			printf("%02x", frame[i]);
		putchar(' ');
		values_print(&domain, &trail, end, len - net);
	}
	return 0;
}
