/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Headers that most of the kernel's files include. They take half of the compilation time, so
 * cc.sh precompiles them.
 */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/interrupt.h>
#include <linux/kernel_stat.h>
#include <linux/kthread.h>
#include <linux/seq_file.h>
#include <linux/security.h>
#include <linux/blkdev.h>
#include <linux/memcontrol.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <net/sock.h>
#include <net/netlink.h>
