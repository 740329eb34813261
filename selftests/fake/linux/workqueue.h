/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SEEN_FAKE_WORKQUEUE_H
#define SEEN_FAKE_WORKQUEUE_H

#include <linux/rcupdate.h>

struct workqueue_struct;

struct work_struct {
	void (*func)(struct work_struct *work);
};

struct delayed_work {
	struct work_struct work;
};

struct rcu_work {
	struct work_struct work;
};

#define to_delayed_work(w)	container_of(w, struct delayed_work, work)
#define to_rcu_work(w)		container_of(w, struct rcu_work, work)

#define INIT_WORK(w, f)		((w)->func = (f))
#define INIT_DELAYED_WORK(w, f)	INIT_WORK(&(w)->work, f)
#define INIT_RCU_WORK(w, f)	INIT_WORK(&(w)->work, f)

#define queue_work(wq, w)	fake_queue_work(w)
#define queue_rcu_work(wq, w) \
	fake_queue_rcu_work(&(w)->work, __FILE__, __LINE__)
#define cancel_work_sync(w)	fake_cancel_work(w)
#define flush_work(w)		fake_flush_work(w)

#define queue_delayed_work(wq, w, in)	fake_queue_delayed_work(w, in)
#define mod_delayed_work(wq, w, in)	queue_delayed_work(wq, w, in)
#define cancel_delayed_work_sync(w)	fake_cancel_work(&(w)->work)

void flush_workqueue(struct workqueue_struct *wq);

#endif
