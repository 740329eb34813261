#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# clang.sh ENTRY: prints make's variables for modules that clang builds for the kernel in the
# cache entry ENTRY. gcc built this kernel, so the variables replace the facts about gcc in its
# configuration by those about clang; all structures keep the kernel's layout. The modules have no
# calls for the function tracer: objtool would turn clang's calls into no-ops, but a kernel built
# by gcc expects calls.

. "$(dirname "$0")/common.sh"

flags=(W=1 CONFIG_CC_IS_GCC= CONFIG_GCC_VERSION=0 CONFIG_CC_IS_CLANG=y
	CONFIG_CC_IMPLICIT_FALLTHROUGH=-Wimplicit-fallthrough
	CONFIG_FTRACE_MCOUNT_USE_CC= CONFIG_FTRACE_MCOUNT_USE_OBJTOOL=
	CC_FLAGS_FTRACE=)
case $(cat "$1/release") in
# clang-14 cannot return by a thunk, and needs an extra option to zero variables.
6.*)	flags+=(CC=clang-14 CONFIG_CLANG_VERSION=140006
		CONFIG_RETHUNK= CONFIG_MITIGATION_RETHUNK=
		CONFIG_SLS= CONFIG_MITIGATION_SLS=
		CONFIG_CC_HAS_AUTO_VAR_INIT_ZERO_ENABLER=y) ;;
# The headers of newer kernels need clang 15 or later.
*)	"$top/tools/deps.sh" need clang >&2
	flags+=(CC=clang-16 CONFIG_CLANG_VERSION=160006) ;;
esac
echo "${flags[*]}"
