/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Per-CPU counters for the user-mode kernel that measures: one instruction per addition, as in
 * an x86 kernel on hardware. UML's own version disables interrupts around each addition.
 * This is not necessary: an interrupt cannot split an instruction here either, and a task in this
 * kernel is never preempted, so it stays on the CPU whose address it has computed.
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
