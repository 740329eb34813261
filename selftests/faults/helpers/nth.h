/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Allocations that fail on demand: number n of those that this thread's requests
 * make. The calls to the kernel that carry requests are overlaid, so that whatever
 * library makes one, the count covers it and nothing else.
 */
#ifndef NTH_H
#define NTH_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct nth_calls - what the calls themselves said since nth_arm()
 * @send_errno: a request did not reach its family: no memory for the message
 * @recv_errno: an answer did not reach us
 */
struct nth_calls {
	int send_errno;
	int recv_errno;
};

extern struct nth_calls nth_calls;

/* nth_control() - where the count goes: the kernel's own, or $NTH_CONTROL */
const char *nth_control(void);

/* nth_arm() - allocation @n from here on fails, those of all requests counted */
void nth_arm(unsigned int n);

/*
 * nth_onwards() - not only that one fails, but all of its request from there on; what
 * the kernel's own count cannot do
 */
void nth_onwards(bool all);

/* nth_disarm() - Return: it has come to that */
bool nth_disarm(void);

/* nth_begin(), nth_end() - around a call that is not overlaid */
void nth_begin(void);
void nth_end(void);

/* nth_asked() - has a family been sent this command while one was to fail? */
bool nth_asked(uint8_t cmd, bool dump);

/**
 * struct nth_fault - what the kernel's log says of a failure
 * @logged: something; allocations that ask for silence say nothing
 * @own: the module was on the stack
 * @noise: the kernel complained of something else
 * @site: function and offset in the module, the innermost
 */
struct nth_fault {
	bool logged;
	bool own;
	bool noise;
	char site[96];
};

/* nth_open() - let every kind of allocation fail, and the log tell of each */
void nth_open(void);

/* nth_log() - read what the log has got since the last call; it stays there */
void nth_log(struct nth_fault *fault);

#endif
