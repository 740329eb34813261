# SPDX-License-Identifier: GPL-2.0
# Included by the Makefiles of tests that compile files of the module for the fake kernel. Each file
# is compiled whole. Only functions that a test can reach are linked, so functions that the others
# call need not exist.

FAKE_KMOD := $(addprefix kmod/,allow allow_map binding budget clock counts feed feed_binding filter guard guard_alarm \
	guard_block guard_check guard_conf guard_control guard_event guard_match guard_port \
	guard_probe guard_repeat guard_replace guard_verdict guard_vlan key keyspec \
	netlink_entry netlink_feed netlink_filter_get netlink_filter_type netlink_guard \
	netlink_guard_conf netlink_guard_match netlink_hash netlink_merge netlink_mode netlink_object \
	netlink_policy netlink_reply \
	netlink_snapshot netlink_top \
	packet payload prefix rehash rule snapshot sweep tunnel)
FAKE_PLAIN := $(addprefix selftests/fake/,module messages plain spans)
FAKE_EXPLORED := $(addprefix selftests/fake/,module messages explored)
FAKE_HEADERS := $(wildcard $(addprefix $(TOP)/,selftests/fake/*.h \
	selftests/fake/*/*.h selftests/fake/*/*/*.h kmod/*.h \
	tools/shim/skb/*/*.h uapi/linux/*.h)) ../fake/fake.mk
# $(call fake,CFLAGS): the fake kernel's headers precede the shim's. The kernel is built without
# these warnings, too.
fake = -I$(TOP)/selftests/fake -I$(TOP)/tools/shim/skb -I$(TOP)/uapi $(1) \
	-Wno-unused-parameter -Wno-sign-compare \
	-Wno-missing-field-initializers \
	-ffunction-sections -fdata-sections
# Sanitizers keep lists of globals, which include globals that are not linked.
FAKE_LDFLAGS := -Wl,--gc-sections,-z,start-stop-gc
