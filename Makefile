# SPDX-License-Identifier: GPL-2.0
# Every verb has a line in `make help`.

MAKEFLAGS += --no-builtin-rules --no-print-directory

B := build
DEPS := tools/deps.sh need
BENCH := selftests/bench/native

# The stages of check, in its order, and one that runs by its own name only.
STAGES := core tools model fuzz guest faults coverage torture attack bench matrix \
	debug static load
CHECKS := $(STAGES:%=check-%) check-kcsan

.PHONY: all kmod tools install uninstall clean distclean help \
	vm demo theory accuracy bench bench-kernel bench-plot bench-dedup bench-pcap \
	check coverage \
	check-static check-core check-tools \
	check-model check-fuzz check-guest check-debug check-faults \
	check-torture check-attack check-load check-bench check-coverage check-matrix \
	check-kcsan

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

theory: ## measure the curves of Documentation/theory anew, and draw them
	+@$(MAKE) -s -C selftests/core curves
	@selftests/core/theory.py --write

accuracy: ## measure sketches against exact counts, for Documentation/accuracy.md
	+@$(MAKE) -s -C selftests/core accuracy
	@selftests/core/accuracy.py --write

bench: ## kmod/core in userspace beside its rivals (KEYS= LENS= PAGES= ROUNDS=5 LARGE_ROUNDS=2 CPU=)
	@$(DEPS) bench
	@$(BENCH)/source.sh $(CURDIR)/$(B)/bench/rocksdb || true
	+@$(MAKE) -s -C $(BENCH) all
	+@$(MAKE) -s -k -C $(BENCH) rivals || true
	@$(BENCH)/native.py run

bench-plot: ## the last runs of bench and bench-kernel into Documentation/performance, README
	@[ -e $(B)/bench/native.json ] || [ -e $(B)/bench/kernel.json ] || \
		{ echo "no run yet: make bench, make bench-kernel" >&2; exit 1; }
	+@$(MAKE) -s -C $(BENCH) plot
	@[ ! -e $(B)/bench/native.json ] || $(BENCH)/native.py page
	@[ ! -e $(B)/bench/kernel.json ] || selftests/bench/report.py --page \
		$(B)/bench/kernel.json Documentation/performance/kernel.md README.md \
		$(B)/bench/native/plot Documentation/performance/kernel-growth.svg

bench-dedup: tools ## seenctl dedup against awk and sort (LINES=50000000 ROUNDS=1)
	@tools/bench/dedup.sh

bench-pcap: tools ## seenctl pcap against editcap (PACKETS=1000000 RATE=100000)
	@tools/bench/pcap.sh

bench-kernel: tools ## rules and guards beside ipset, recent and nftables, in a guest (ROUNDS=7 LISTS=)
	@selftests/bench/measure.sh

check: ## all stages but kcsan, a short run of each (a long one with LONG=1)
	+@selftests/check.sh $(STAGES)

check-static: ## style, sparse, warnings, documents
check-core: ## kmod/core in userspace, under sanitizers
check-tools: ## what needs no kernel
check-model: ## the lock-free protocols, every interleaving
check-fuzz: ## parsers, imports, sequences of operations, netlink
check-guest: ## the module in guests (KERNELS="6.1 6.12 uml" ALL=)
check-faults: ## each allocation fails in turn
check-torture: ## readers, writers, devices, hotplug, unloading, all at once
check-attack: ## floods, chosen keys, tenants
check-coverage: ## lines that no test runs
check-load: ## a flood beside commands that take long
check-bench: ## the benchmark in the kernel runs, and counts right
check-debug: ## the guest's tests under KASAN, UBSAN, lockdep, kmemleak
check-matrix: ## kernels, compilers, 32 bits
check-kcsan: ## data races; a kernel of its own is built

$(CHECKS):
	+@selftests/check.sh $(@:check-%=%)

coverage: check-coverage ## the same

clean: ## remove what was built, but for downloads and guest kernels
	rm -rf $(B)/kmod $(B)/tools $(B)/core $(B)/fuzz $(B)/attack $(B)/helpers $(B)/check $(B)/vm \
		$(B)/bench/native $(B)/bench-module $(B)/bits32 $(B)/places

distclean: ## remove everything that was built or downloaded
	rm -rf $(B)

help: ## show this
	@sed -n 's/^\([a-z][a-z -]*\):.*## \(.*\)/\1:\2/p' $(MAKEFILE_LIST) | \
		awk -F: '{ n = split($$1, v, " "); \
			for (i = 1; i <= n; i++) printf "  %-14s %s\n", v[i], $$2 }'
