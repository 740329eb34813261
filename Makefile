# SPDX-License-Identifier: GPL-2.0
# Every verb has a line in `make help`.

MAKEFLAGS += --no-builtin-rules --no-print-directory

B := build
DEPS := tools/deps.sh need
BENCH := selftests/bench/native

# The stages of check; check-all has more. selftests/tests says what each runs.
CHECK := static core tools model fuzz guest smoke faults attack mutant
# With LONG=1 all mutants take the place of some.
ALL := $(if $(LONG),$(CHECK:mutant=mutants),$(CHECK)) debug matrix torture load coverage bench
STAGES := $(CHECK) debug matrix torture load coverage bench mutants kcsan

.PHONY: all kmod tools install uninstall clean cache-clean help \
	vm demo theory accuracy bench bench-kernel bench-plot bench-dedup bench-pcap \
	check check-all check-net $(STAGES:%=check-%)

# Both parts may install packages.
.NOTPARALLEL:

all: kmod tools ## build the module and the tools (the default)

# The running kernel's headers, else the newest that are installed.
KDIR ?= $(firstword $(wildcard /lib/modules/$(shell uname -r)/build) \
	$(shell ls -dv /lib/modules/*/build/ /usr/src/linux-headers-*/.config \
		2>/dev/null | sed 's,/.config,,' | tail -n1))
KOBJ ?= $(B)/kmod/host
# BTF is made against that of vmlinux, which not all headers come with.
KMAKE = $(MAKE) -C $(KDIR) M=$(abspath $(KOBJ)) $(KFLAGS) \
	$(if $(wildcard $(KDIR)/vmlinux),,CONFIG_DEBUG_INFO_BTF_MODULES=)

# Headers may have been installed by the second line: make looks again, once.
# Each kernel has a folder of links of its own, so that no two builds meet; a
# file that has gone leaves a dead link there.
kmod: ## build the module (KDIR=, headers of another kernel)
	@KDIR=$(KDIR) $(DEPS) kmod
	@mkdir -p $(KOBJ)
	@cp -rsf $(CURDIR)/Kbuild $(CURDIR)/kmod $(CURDIR)/uapi $(KOBJ)/
	@find $(KOBJ) -xtype l -delete
	+@$(if $(KDIR),$(KMAKE) modules,$(if $(AGAIN),$(error no kernel headers: \
		say where with KDIR=),$(MAKE) kmod AGAIN=1))

tools: ## build the command line tool and the plugin of iptables
	@$(DEPS) build
	+@$(MAKE) -C tools

install: all ## install the modules, the tools and their manuals (as root; DESTDIR=)
	@rel=$$(modinfo -F vermagic $(KOBJ)/seen.ko | cut -d" " -f1) && \
		install -v -D -m644 -t $(DESTDIR)/lib/modules/$$rel/extra $(KOBJ)/*.ko && \
		depmod $(DESTDIR:%=-b %) $$rel
	+@$(MAKE) -C tools install

uninstall: ## remove what install put in place
	@for dir in $(sort $(dir $(wildcard $(DESTDIR)/lib/modules/*/extra/*seen.ko))); do \
		rm -fv $$dir/seen.ko $$dir/xt_seen.ko && dir=$${dir%/extra/} && \
		depmod $(DESTDIR:%=-b %) $${dir##*/} || exit; done
	+@$(MAKE) -C tools uninstall

vm: ## run SCRIPT= in a guest, or a shell (ARGS= KERNEL=6.1|6.12|uml SMP=2 MEM=1G FILES=)
	+@$(MAKE) -s tools
	@KERNEL="$(KERNEL)" SMP="$(SMP)" MEM="$(MEM)" FILES="$(FILES)" \
		selftests/vm/vm.sh $(SCRIPT) $(ARGS)

demo: ## a looped bridge is saved, in a guest, before your eyes
	+@$(MAKE) -s tools
	@selftests/demo/run.sh

theory: ## measure the curves of Documentation/theory again, and draw them
	@$(DEPS) build
	+@$(MAKE) -s -C selftests/core curves
	@selftests/core/theory.py --write

accuracy: ## measure sketches against exact counts, for Documentation/accuracy.md
	@$(DEPS) build
	+@$(MAKE) -s -C selftests/core accuracy
	@selftests/core/accuracy.py --write

bench: ## kmod/core in userspace beside its rivals (KEYS= LENS= PAGES= ROUNDS=5 LARGE_ROUNDS=2 CPU=)
	@$(DEPS) bench
	+@$(MAKE) -s -C $(BENCH) all
	+@$(MAKE) -s -k -C $(BENCH) rivals || true
	@$(BENCH)/native.py run

bench-plot: ## the last runs of bench and bench-kernel into Documentation/performance, README
	@[ -e $(B)/bench/native.json ] || [ -e $(B)/bench/kernel.json ] || \
		{ echo "no run yet: make bench, make bench-kernel" >&2; exit 1; }
	@$(DEPS) build
	+@$(MAKE) -s -C $(BENCH) plot
	@[ ! -e $(B)/bench/native.json ] || $(BENCH)/native.py page
	@[ ! -e $(B)/bench/kernel.json ] || selftests/bench/report.py --page \
		$(B)/bench/kernel.json Documentation/performance/kernel.md README.md \
		$(B)/bench/native/plot Documentation/performance/kernel-growth.svg

bench-dedup: tools ## seenctl dedup against awk and sort (LINES=50000000 ROUNDS=1)
	@tools/bench/dedup.sh

bench-pcap: tools ## seenctl pcap against editcap (PACKETS=1000000 RATE=100000)
	@$(DEPS) guest
	@tools/bench/pcap.sh

bench-kernel: tools ## rules and guards beside ipset, recent and nftables, in a guest (ROUNDS=7 LISTS= GUARDS=)
	+@$(MAKE) -s -C selftests/net/helpers
	@selftests/bench/measure.sh

check: ## what each change must pass (JOBS= SEEN_CAPTURES=)
	@selftests/check $(CHECK)

check-all: ## everything, an hour or more, with random seeds (LONG=1: many hours)
	@TEST_SEED=$${TEST_SEED:-$$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')} \
		selftests/check $(ALL)

check-net: ## some guest tests, or all: TESTS="loop_pair rules" (KERNEL=uml LONG=)
	@KERNEL="$(KERNEL)" selftests/check net $(TESTS)

check-static: ## style, sparse, warnings, documents
check-core: ## kmod/core in userspace, with sanitizers and threads
check-tools: ## seenctl and libseen without a kernel
check-model: ## the lock-free code in weakly ordered memory
check-fuzz: ## parsers, imports, sequences of operations, netlink
check-guest: ## the module in guests of the user-mode kernel
check-smoke: ## the module in guests of Debian's 6.1 and 6.12
check-faults: ## each allocation fails in turn
check-attack: ## floods, chosen keys, tenants
check-debug: ## guest tests under KASAN, UBSAN, lockdep, kmemleak
check-matrix: ## more kernels, clang, 32 bits
check-torture: ## readers, writers, devices, hotplug, unloading at once
check-load: ## a flood during long commands
check-coverage: ## lines that no test runs
check-bench: ## the kernel benchmark runs, and counts right
check-kcsan: ## data races; in no other check
check-mutant: ## three planted bugs that tests must find
check-mutants: ## all planted bugs

# What coverage counts is what the others run.
$(STAGES:%=check-%): check-%:
	@selftests/check $(if $(filter coverage,$*),tools fuzz guest faults) $*

clean: ## remove what was built here
	rm -rf $(B)

cache-clean: ## remove kernels, guest roots, sources and objects that all clones share
	rm -rf "$${XDG_CACHE_HOME:-$$HOME/.cache}/seen"

help: ## show this
	@sed -n 's/^\([a-z][a-z-]*\):.*## /  \1                /p' $(MAKEFILE_LIST) | \
		sed 's/^\(.\{17\}\) */\1/'
