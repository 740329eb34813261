/* SPDX-License-Identifier: GPL-2.0 */
/* The version of the modules, the tools and the packages. tools/Makefile reads this line. */
#ifndef SEEN_VERSION_H
#define SEEN_VERSION_H

#define SEEN_VERSION "1.0.0"

#endif
