/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SEEN_CRC32C_H
#define SEEN_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/**
 * seen_crc32c() - CRC-32C (Castagnoli), as in iSCSI and ext4
 * @crc: CRC of the preceding data; 0 for the first data
 * @data: the data to add
 * @len: bytes of @data
 *
 * Context: any thread.
 * Return: the CRC of all data so far.
 */
uint32_t seen_crc32c(uint32_t crc, const void *data, size_t len);

#endif
