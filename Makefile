# SPDX-License-Identifier: GPL-2.0-only
#
# The front door, and nothing else: each target is a script of dev/.

.PHONY: help deps toolchain tree series kernel run report check check-all host fuzz shell lint bisect config-sweep matrix stress latency \
	bench-values speedup kselftests package clean distclean
MAKEFLAGS += --no-print-directory

help:		## this list
	@sed -n 's/^\([a-z-]*\):.*## */  make \1	/p' Makefile | expand -t 22
	@sed -n '/^#   [A-Z]/s/^# /  /p' dev/lib.sh

deps:		## install the Debian packages that the other targets need
	@dev/deps

toolchain:	## the compiler that CLANG=N names, from another suite of Debian
	@dev/deps compiler

tree:		## compose the kernel tree: the base's source and the series
	@dev/deps source
	@dev/compose

series:		## write the series as mails to out/series, try them with git am
	@dev/deps source
	@dev/series

kernel: tree	## build the instrumented kernel
	@dev/deps build
	@dev/build

run:		## build, boot, run a workload, collect and merge the profiles
	@dev/deps source build boot
	@dev/run

report:		## one HTML page that shows the profiles of make run, or PROFILE, in charts
	@dev/deps report
	@dev/report

shell:		## boot the same guest to a prompt
	@dev/deps source build boot
	@dev/shell

check:		## the tests
	@dev/deps
	@dev/check

check-all:	## more kernels: each base plain and with debugging, and with a profile
	@dev/deps
	@dev/check all

host:		## hooks and serializer on the host against LLVM's runtime, each compiler there is
	@dev/deps check
	@dev/differ all

fuzz:		## any section set to validator and serializer; RUNS is how many
	@dev/deps check
	@dev/fuzz

lint:		## the series as reviewers' bots see it
	@dev/deps source build lint
	@dev/lint

bisect:		## build and boot every commit of the series with the option off and on
	@dev/deps source build boot
	@dev/bisect

config-sweep:	## build, boot and self-test the configurations that broke others
	@dev/deps source build boot sweep
	@dev/sweep

matrix:		## build, boot and self-test one configuration with each clang
	@dev/matrix

stress:		## modules come and go, and memory fails, on debug kernels; CYCLES is how often
	@dev/deps source build boot
	@dev/stress

latency:	## how long interrupts and preemption are off, by the kernel's tracers
	@dev/deps source build boot
	@dev/latency

bench-values:	## what counting values costs: time of a call on the host, instructions in the guest
	@dev/deps source build boot check
	@dev/bench-values

speedup:	## what a profile is worth: train with one set of workloads, measure with another
	@dev/deps source build boot speedup
	@dev/speedup

kselftests:	## the kernel's own selftests on a kernel that PROFILE=file optimises, against the plain one
	@dev/deps source build boot kselftests
	@dev/kselftests

package:	## Debian's packages of the kernel, as a distribution makes them: what is in them boots
	@dev/deps source build boot package
	@dev/package

clean:		## remove out/
	@dev/clean

distclean:	## remove the cache too: kernel source, trees, builds
	@dev/clean cache
