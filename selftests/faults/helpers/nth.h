/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lets an allocation fail on demand: number n of the allocations made by this thread's
 * requests. The file overrides the system calls that carry requests (sendmsg, recvmsg), so the
 * count covers exactly these, no matter which library sends the request.
 */
#ifndef NTH_H
#define NTH_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct nth_calls - errors of the system calls since nth_arm()
 * @send_errno: errno: no memory for the message, so the family did not get the request
 * @recv_errno: errno: an answer could not be received
 */
struct nth_calls {
	int send_errno;
	int recv_errno;
};

extern struct nth_calls nth_calls;

/* nth_control() - path of the counter: the kernel's fail-nth, or $NTH_CONTROL */
const char *nth_control(void);

/* nth_arm() - let allocation @n from now on fail, counted over all requests */
void nth_arm(unsigned int n);

/*
 * nth_onwards() - let all later allocations of the request fail, too. The kernel's own fail-nth
 * cannot do that.
 */
void nth_onwards(bool all);

/* nth_disarm() - Return: true if the chosen allocation was reached */
bool nth_disarm(void);

/* nth_begin(), nth_end() - called around a system call that is not overridden */
void nth_begin(void);
void nth_end(void);

/* nth_asked() - has this command been sent while a failure was armed? */
bool nth_asked(uint8_t cmd, bool dump);

/**
 * struct nth_fault - what the kernel's log reports about a failure
 * @logged: there is a report; allocations with __GFP_NOWARN cause no report
 * @own: the module was on the stack
 * @noise: the kernel reported something else
 * @site: function and offset in the module, of its innermost frame
 */
struct nth_fault {
	bool logged;
	bool own;
	bool noise;
	char site[96];
};

/* nth_open() - enable failures of every kind of allocation, and a report of each in the log */
void nth_open(void);

/* nth_log() - read the lines of the log since the last call, without clearing it */
void nth_log(struct nth_fault *fault);

#endif
