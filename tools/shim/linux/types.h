/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in for the kernel's header of the same name. */
#ifndef SEEN_SHIM_TYPES_H
#define SEEN_SHIM_TYPES_H

#include_next <linux/types.h>
#include <linux/compiler.h>
#include <stdbool.h>
#include <stddef.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __s8 s8;
typedef __s16 s16;
typedef __s32 s32;
/* Aligned to 64 bits on 32-bit machines, too; otherwise accesses would not be atomic. */
typedef __u64 u64 __aligned(8);
typedef __s64 s64 __aligned(8);

#define U8_MAX	((u8)~0U)
#define U16_MAX	((u16)~0U)
#define U32_MAX	((u32)~0U)
#define U64_MAX	((u64)~0ULL)

#endif
