/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SEEN_CRC32C_H
#define SEEN_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/**
 * seen_crc32c() - CRC-32C (Castagnoli), as in iSCSI and ext4
 * @crc: of what went before, 0 at the beginning
 * @data: what follows
 * @len: its bytes
 */
uint32_t seen_crc32c(uint32_t crc, const void *data, size_t len);

#endif
