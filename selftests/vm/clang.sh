#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# clang.sh ENTRY: prints make's variables for modules that clang builds for the
# kernel in the cache entry ENTRY. What its configuration knows of gcc, which built
# it, becomes what it would know of clang; all structures stay as the kernel's are. No
# function calls the tracer: objtool would make no-ops of clang's calls, where a kernel
# that gcc has built expects calls.

. "$(dirname "$0")/common.sh"

flags=(W=1 CONFIG_CC_IS_GCC= CONFIG_GCC_VERSION=0 CONFIG_CC_IS_CLANG=y
	CONFIG_CC_IMPLICIT_FALLTHROUGH=-Wimplicit-fallthrough
	CONFIG_FTRACE_MCOUNT_USE_CC= CONFIG_FTRACE_MCOUNT_USE_OBJTOOL=
	CC_FLAGS_FTRACE=)
case $(cat "$1/release") in
# Too old for returns by a thunk; and zero must be asked for twice.
6.*)	flags+=(CC=clang-14 CONFIG_CLANG_VERSION=140006
		CONFIG_RETHUNK= CONFIG_MITIGATION_RETHUNK=
		CONFIG_SLS= CONFIG_MITIGATION_SLS=
		CONFIG_CC_HAS_AUTO_VAR_INIT_ZERO_ENABLER=y) ;;
# Those headers want 15 at least.
*)	"$top/tools/deps.sh" need clang >&2
	flags+=(CC=clang-16 CONFIG_CLANG_VERSION=160006) ;;
esac
echo "${flags[*]}"
