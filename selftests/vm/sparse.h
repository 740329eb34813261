/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For Linux 7.2: definitions for features that its headers use and that sparse of Debian 12
 * lacks. After an error in a file, sparse prints no warnings for it.
 */
#define __typeof_unqual__	__typeof__
/* Used on string literals, in assertions about the texts of MODULE_DESCRIPTION() and others. */
#define __builtin_strlen(text)	(sizeof(text) - 1)
