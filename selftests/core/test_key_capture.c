// SPDX-License-Identifier: GPL-2.0
/*
 * Keys of real frames, and of the same frames cut off or damaged: no byte beyond the packet
 * is read (the sanitizers check that), no key exceeds its bounds, and all shapes of a packet
 * give the same key.
 *
 * The captures are not part of the project. SEEN_CAPTURES is their folder; without it the
 * test skips these results.
 */
#include <dirent.h>
#include <fcntl.h>
#include <linux/skbuff.h>

#include "frames.h"
#include "skb.h"
#include "test.h"

#define MAGIC_USEC	0xa1b2c3d4
#define MAGIC_NSEC	0xa1b23c4d
#define DLT_ETHERNET	1

static const char *const texts[] = {
	"host", "flow", "frame", "packet", "relay",
	"smac,dmac,vlan,ethertype,payload:448,len",
	"src/24,dst/24,proto,ttl,dscp,ipid,frag,payload:16,len,iif",
	"sport,dport,payload:1",
	"tcpseq",
	"packet,inner", "flow,inner",
	"src/24/48,dst/8/32,vlan,payload:448,len,inner",
};

#define SPECS	ARRAY_SIZE(texts)

static struct seen_keyspec specs[SPECS];
static u64 frames, damaged, keys[SPECS];

/* A capture has the byte order of the machine that made it. */
struct pcap_head {
	u32 magic;
	u16 major;
	u16 minor;
	u32 zone;
	u32 digits;
	u32 snap;
	u32 link;
};

struct pcap_record {
	u32 sec;
	u32 fraction;
	u32 there;
	u32 len;
};

static struct shape random_shape(int len)
{
	return (struct shape) {
		.linear = random_below(len + 1),
		.split = random_below(SPLITS),
		.pulled = len >= ETH_HLEN && random_below(2),
		.untagged = random_below(2),
		.csum_start = random_below(2) ? random_below(len + 1) : 0,
		.csum_offset = random_below(20),
	};
}

/* The longest key of texts[i]: bytes of fields, and of payload; 0: all of it. */
static bool is_bounded(int i, const struct flat_key *key, int len)
{
	static const struct {
		u16 fields;
		u16 payload;
	} longest[SPECS] = {
		{ 16, 0 }, { 37, 0 }, { 24, 0 }, { 43, 0 }, { 24, 0 },
		{ 24, 448 }, { 53, 16 }, { 8, 1 }, { 4, 0 }, { 43, 0 },
		{ 37, 0 }, { 42, 448 },
	};

	if (!specs[i].payload)
		return key->len <= longest[i].fields;
	return key->len <= longest[i].fields +
			   (longest[i].payload ?: (u32)max(len, ETH_ZLEN));
}

/* Two shapes must agree, if no checksum is due in either. */
static bool agree(int i, const u8 *frame, int len)
{
	struct shape shape = random_shape(len);
	struct flat_key a, b;
	bool has_a, has_b;

	has_a = key_of(&specs[i], frame, len, &plain, &a);
	has_b = key_of(&specs[i], frame, len, &shape, &b);
	if (has_a != has_b)
		return false;
	if (!has_a)
		return true;
	keys[i]++;
	if (!is_bounded(i, &a, len) || a.len != b.len)
		return false;
	return shape.csum_start || !memcmp(a.bytes, b.bytes, a.len);
}

static bool all_agree(const u8 *frame, int len)
{
	unsigned int i;

	damaged++;
	for (i = 0; i < SPECS; i++)
		if (!agree(i, frame, len))
			return false;
	return true;
}

static void damage(u8 *frame, int len)
{
	int times = 1 + random_below(6);

	while (times-- && len)
		frame[random_below(min(len, 96))] = random64();
}

static bool try_frame(const u8 *frame, int len)
{
	u64 rounds = scale(8);
	u8 other[FRAME_MAX];
	u64 i;

	frames++;
	if (!all_agree(frame, len))
		return false;
	for (i = 0; i < rounds; i++) {
		int cut = random_below(len + 1);

		if (!all_agree(frame, cut))
			return false;
		memcpy(other, frame, len);
		damage(other, len);
		if (!all_agree(other, random_below(4) ? len : cut))
			return false;
	}
	return true;
}

static bool is_magic(u32 magic)
{
	return magic == MAGIC_USEC || magic == MAGIC_NSEC;
}

static u32 in_order(u32 number, bool swapped)
{
	return swapped ? __builtin_bswap32(number) : number;
}

/* Return: false: a frame was wrong; there is its file and its number. */
static bool try_file(FILE *file, const char *name)
{
	struct pcap_record record;
	struct pcap_head head;
	u8 frame[FRAME_MAX];
	u64 number = 0;
	bool swapped;
	u32 there;

	if (fread(&head, sizeof(head), 1, file) != 1)
		return true;
	swapped = !is_magic(head.magic);
	if (!is_magic(in_order(head.magic, swapped)) ||
	    in_order(head.link, swapped) != DLT_ETHERNET)
		return true;
	while (fread(&record, sizeof(record), 1, file) == 1) {
		number++;
		there = in_order(record.there, swapped);
		if (there > sizeof(frame)) {
			fseek(file, there, SEEK_CUR);
			continue;
		}
		if (fread(frame, 1, there, file) != there)
			break;
		if (!try_frame(frame, there)) {
			note("%s, frame %llu", name,
			     (unsigned long long)number);
			return false;
		}
	}
	return true;
}

static bool try_folder(DIR *folder)
{
	struct dirent *entry;
	bool good = true;

	while ((entry = readdir(folder))) {
		int fd = openat(dirfd(folder), entry->d_name, O_RDONLY);
		FILE *file = fd < 0 ? NULL : fdopen(fd, "r");

		if (!file)
			continue;
		good = try_file(file, entry->d_name) && good;
		fclose(file);
	}
	return good;
}

static void test_captures(void)
{
	const char *path = getenv("SEEN_CAPTURES");
	DIR *folder = path ? opendir(path) : NULL;
	unsigned int i;

	if (!folder) {
		ok(true, "captures # SKIP SEEN_CAPTURES names no folder");
		return;
	}
	ok(try_folder(folder) && frames, "captures: all shapes agree");
	closedir(folder);
	note("%llu frames, %llu with damage", (unsigned long long)frames,
	     (unsigned long long)damaged);
	for (i = 0; i < SPECS; i++)
		note("%llu keys %s", (unsigned long long)keys[i], texts[i]);
}

/* Headers that look right by chance, and nothing behind them. */
static void test_random(void)
{
	static const u16 types[] = {
		0x0800, 0x86dd, 0x8100, 0x88a8, 0x0806, 0x0003,
	};
	static const u8 protocols[] = { 4, 6, 17, 33, 41, 47, 50, 58, 132 };
	static const u8 extensions[] = { 0, 43, 44, 60 };
	u64 i, rounds = scale(400000);
	bool good = true;
	u8 frame[1280];
	int at, len;

	for (i = 0; i < rounds && good; i++) {
		u8 protocol = protocols[random_below(ARRAY_SIZE(protocols))];
		u16 type = types[random_below(ARRAY_SIZE(types))];

		len = random_below(8) ? 160 : sizeof(frame);
		for (at = 0; at < len; at++)
			frame[at] = random_below(3) ? random64() : 0;
		frame[12] = type >> 8;
		frame[13] = type;
		if (type == 0x0800) {
			frame[14] = 0x45 + random_below(4);
			frame[20] &= 0xe0;
			frame[21] = 0;
			frame[23] = protocol;
			if (random_below(2))	/* VXLAN's port */
				memcpy(frame + 36, "\x12\xb5", 2);
		} else if (type == 0x86dd) {
			frame[14] = 0x60;
			frame[20] = random_below(2) ?
				    extensions[random_below(4)] : protocol;
		}
		len = random_below(len + 1);
		good = all_agree(frame, len);
	}
	ok(good, "%llu random frames: all shapes agree",
	   (unsigned long long)rounds);
}

int main(void)
{
	unsigned int i;

	test_begin(2 + 1);
	for (i = 0; i < SPECS; i++)
		specs[i] = spec_parse(texts[i]);
	test_captures();
	test_random();
	ok(!disagreements, "each packet agrees with the bytes of its key");
	return test_end();
}
