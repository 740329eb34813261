/* SPDX-License-Identifier: GPL-2.0 */
/* Load and store little-endian words at any address. */
#ifndef SEEN_CORE_LE_H
#define SEEN_CORE_LE_H

#include <asm/byteorder.h>
#include <linux/compiler.h>
#include <linux/types.h>

/* Packed: the address may be unaligned; the compiler may still use a single load or store. */
struct seen_le64 {
	__le64 word;
} __packed __attribute__((__may_alias__));

struct seen_le32 {
	__le32 word;
} __packed __attribute__((__may_alias__));

struct seen_le16 {
	__le16 word;
} __packed __attribute__((__may_alias__));

static __always_inline u16 seen_le16_get(const u8 *p)
{
	return __le16_to_cpu(((const struct seen_le16 *)p)->word);
}

static __always_inline u32 seen_le32_get(const u8 *p)
{
	return __le32_to_cpu(((const struct seen_le32 *)p)->word);
}

static __always_inline u64 seen_le64_get(const u8 *p)
{
	return __le64_to_cpu(((const struct seen_le64 *)p)->word);
}

static __always_inline void seen_le16_put(u16 word, u8 *p)
{
	((struct seen_le16 *)p)->word = __cpu_to_le16(word);
}

static __always_inline void seen_le32_put(u32 word, u8 *p)
{
	((struct seen_le32 *)p)->word = __cpu_to_le32(word);
}

static __always_inline void seen_le64_put(u64 word, u8 *p)
{
	((struct seen_le64 *)p)->word = __cpu_to_le64(word);
}

#endif
