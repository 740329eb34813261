# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by ../check.sh: style and warnings, on the host. They have run beside the other
# stages, when this one comes.

static() {
	await_word "$building" static
	folder judge_on_host static
}
