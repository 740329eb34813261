/* SPDX-License-Identifier: GPL-2.0 */
/* What differs between the supported kernels, 6.1 to 7.2; by macro where one tells. */
#ifndef SEEN_COMPAT_H
#define SEEN_COMPAT_H

#include <linux/version.h>

#ifndef CONFIG_64BIT
#error "seen needs a 64-bit kernel"
#endif

#endif
