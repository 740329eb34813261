/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For Linux 7.2: what it asks for and Debian 12's sparse does not know. Of a file in which it has
 * found an error it tells no warning.
 */
#define __typeof_unqual__	__typeof__
/* Of string literals, in what modules assert of their own description. */
#define __builtin_strlen(text)	(sizeof(text) - 1)
