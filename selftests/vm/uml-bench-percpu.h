/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters per CPU for the user-mode kernel that measures: one instruction, as in a real
 * x86 kernel. Its own mask interrupts and let them through again around each addition.
 * An instruction is not interrupted halfway here either, and who runs in this kernel is
 * never preempted, so that the address is that of the CPU that adds.
 */
#ifndef _ASM_UM_PERCPU_H_
#define _ASM_UM_PERCPU_H_

#include <linux/types.h>

#define um_percpu_add(pcp, val, size)				\
	asm volatile("add" size " %1, %0"			\
		     : "+m" (*raw_cpu_ptr(&(pcp)))		\
		     : "er" (val)				\
		     : "cc")

#define this_cpu_add_4(pcp, val)	um_percpu_add(pcp, (u32)(val), "l")
#define this_cpu_add_8(pcp, val)	um_percpu_add(pcp, (u64)(val), "q")

#include <asm-generic/percpu.h>

#endif
