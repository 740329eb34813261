# SPDX-License-Identifier: GPL-2.0
# Every target that users call has a line in `make help`.

MAKEFLAGS += --no-builtin-rules --no-print-directory

B := build
DEPS := tools/deps.sh need
BENCH := selftests/bench/native

# The stages of check; check-all runs more. selftests/tests lists the tests of each stage.
CHECK := static core tools model fuzz guest smoke faults attack mutant
# LONG=1 replaces the stage mutant by mutants.
ALL := $(if $(LONG),$(CHECK:mutant=mutants),$(CHECK)) debug matrix boot torture load coverage bench packages
STAGES := $(CHECK) debug matrix boot torture load coverage bench packages mutants kcsan

.PHONY: all kmod tools install uninstall deb clean cache-clean help \
	vm demo theory accuracy bench bench-fleet bench-kernel bench-plot bench-dedup bench-pcap \
	check check-all check-net $(STAGES:%=check-%)

# Not parallel, because both parts may install packages.
.NOTPARALLEL:

all: kmod tools ## build the module and the tools (the default)

# The headers of the running kernel, else the newest ones that are installed.
KDIR ?= $(firstword $(wildcard /lib/modules/$(shell uname -r)/build) \
	$(shell ls -dv /lib/modules/*/build/ /usr/src/linux-headers-*/.config \
		2>/dev/null | sed 's,/.config,,' | tail -n1))
KOBJ ?= $(B)/kmod/host
# Module BTF needs a vmlinux, which not all headers include.
KMAKE = $(MAKE) -C $(KDIR) M=$(abspath $(KOBJ)) $(KFLAGS) \
	$(if $(wildcard $(KDIR)/vmlinux),,CONFIG_DEBUG_INFO_BTF_MODULES=)

# The first line may install headers; then make runs again, once, to find them. Each kernel has
# its own folder of links, so that builds do not interfere; links to deleted files are removed.
kmod: ## build the module (KDIR=, headers of another kernel)
	@KDIR=$(KDIR) $(DEPS) kmod
	@mkdir -p $(KOBJ)
	@cp -rsf $(CURDIR)/Kbuild $(CURDIR)/kmod $(CURDIR)/uapi $(KOBJ)/
	@find $(KOBJ) -xtype l -delete
	+@$(if $(KDIR),$(KMAKE) modules,$(if $(AGAIN),$(error no kernel headers: \
		say where with KDIR=),$(MAKE) kmod AGAIN=1))

tools: ## build seenctl, libseen and the iptables plugin
	@$(DEPS) build
	+@$(MAKE) -C tools

install: all ## install the modules, the tools and their manuals (as root; DESTDIR=)
	@rel=$$(modinfo -F vermagic $(KOBJ)/seen.ko | cut -d" " -f1) && \
		install -v -D -m644 -t $(DESTDIR)/lib/modules/$$rel/extra $(KOBJ)/*.ko && \
		depmod $(DESTDIR:%=-b %) $$rel
	+@$(MAKE) -C tools install

uninstall: ## remove the installed files
	@for dir in $(sort $(dir $(wildcard $(DESTDIR)/lib/modules/*/extra/*seen.ko))); do \
		rm -fv $$dir/seen.ko $$dir/xt_seen.ko && dir=$${dir%/extra/} && \
		depmod $(DESTDIR:%=-b %) $${dir##*/} || exit; done
	+@$(MAKE) -C tools uninstall

deb: ## build the Debian packages, in build/deb
	@$(DEPS) deb
	@packaging/deb.sh $(B)/deb

vm: ## run SCRIPT= in a guest, or a shell (ARGS= KERNEL=6.1|6.12|uml SMP=2 MEM=1G FILES=)
	+@$(MAKE) -s tools
	@KERNEL="$(KERNEL)" SMP="$(SMP)" MEM="$(MEM)" FILES="$(FILES)" \
		selftests/vm/vm.sh $(SCRIPT) $(ARGS)

demo: ## show in a guest how a guard stops a loop on a bridge
	+@$(MAKE) -s tools
	@selftests/demo/run.sh

theory: ## measure the curves of Documentation/theory again, and draw them
	@$(DEPS) build plot
	+@$(MAKE) -s -C selftests/core curves
	@selftests/core/theory.py --write

accuracy: ## measure sketches against exact counts, for Documentation/accuracy.md
	@$(DEPS) build plot
	+@$(MAKE) -s -C selftests/core accuracy
	@selftests/core/accuracy.py --write

bench: ## compare kmod/core with other libraries (KEYS= LENS= PAGES= ROUNDS=5 LARGE_ROUNDS=2 CPU=)
	@$(DEPS) bench
	+@$(MAKE) -s -C $(BENCH) all
	+@$(MAKE) -s -k -C $(BENCH) rivals || true
	@$(BENCH)/native.py run

bench-fleet: ## put a fleet of 1,000 hosts under load (ROUNDS=3 HOSTS=1000 SECONDS=40 THREADS=32)
	@$(DEPS) build load
	+@$(MAKE) -s -C selftests/bench/fleet
	@selftests/bench/fleet/fleet.py run

bench-plot: ## the last runs of bench, bench-kernel, bench-fleet into Documentation/performance, README
	@ls $(B)/bench/*.csv >/dev/null 2>&1 || \
		{ echo "no run yet: make bench, make bench-kernel, make bench-fleet" >&2; exit 1; }
	@$(DEPS) plot
	@[ ! -e $(B)/bench/native.csv ] || $(BENCH)/native.py page
	@[ ! -e $(B)/bench/fleet.csv ] || selftests/bench/fleet/fleet.py page
	@[ ! -e $(B)/bench/kernel.csv ] || selftests/bench/report.py --page \
		$(B)/bench/kernel.csv Documentation/performance README.md

bench-dedup: tools ## compare seenctl dedup with awk and sort (LINES=50000000 ROUNDS=1)
	@tools/bench/dedup.sh

bench-pcap: tools ## compare seenctl pcap with editcap (PACKETS=1000000 RATE=100000)
	@$(DEPS) guest
	@tools/bench/pcap.sh

bench-kernel: tools ## compare with ipset, recent and nftables in a guest (ROUNDS=7 LISTS= GUARDS= FEEDS=)
	+@$(MAKE) -s -C selftests/net/helpers
	@selftests/bench/measure.sh

check: ## run the checks that each change must pass (JOBS= SEEN_CAPTURES=)
	@selftests/check $(CHECK)

check-all: ## run all checks, an hour or more, with random seeds (LONG=1: many hours)
	@TEST_SEED=$${TEST_SEED:-$$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')} \
		selftests/check $(ALL)

check-net: ## run all guest tests, or TESTS="loop_pair rules" (KERNEL=uml LONG=)
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
check-boot: ## a Debian with systemd boots five times, also with damaged files
check-torture: ## readers, writers, devices, hotplug, unloading at once
check-load: ## a flood during long commands
check-coverage: ## find lines that no test runs
check-bench: ## run the kernel benchmark, and verify its counts
check-packages: ## the packages in Debian 12 and 13, and the rpm
check-kcsan: ## find data races with KCSAN; not part of check or check-all
check-mutant: ## plant three bugs; the tests must find them
check-mutants: ## plant each bug of selftests/mutants in turn

# The stage coverage measures what the other stages run, so they run before it.
$(STAGES:%=check-%): check-%:
	@selftests/check $(if $(filter coverage,$*),tools fuzz guest faults) $*

clean: ## remove the build folder
	rm -rf $(B)

cache-clean: ## remove kernels, guest images, sources and objects that all clones share
	rm -rf "$${XDG_CACHE_HOME:-$$HOME/.cache}/seen"

help: ## show this
	@sed -n 's/^\([a-z][a-z-]*\):.*## /  \1                /p' $(MAKEFILE_LIST) | \
		sed 's/^\(.\{17\}\) */\1/'
