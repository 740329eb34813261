# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by ../check.sh: style and warnings, on the host.

static() {
	folder static
}
