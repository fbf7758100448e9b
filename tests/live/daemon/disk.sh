# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Functions for scripts that run the daemon in a guest. These scripts run at the top of the tree, and
# set $guest.

case $guest in
arm64-*) arch=arm64 cc=aarch64-linux-gnu-gcc ustack=build/arm64/ustack ;;
*) arch=amd64 cc=gcc ustack=build/ustack ;;
esac

# usage: build_burn FILE: builds the load without frame pointers and without .sframe
build_burn()
{
	"$cc" -O2 -g -fomit-frame-pointer -Wl,--build-id -o "$1" tests/live/daemon/burn.c -ldl -lm
}

# Makes a root with the libraries of the program and the tools of the scripts; prints its path.
daemon_disk()
{
	tests/guest/vm/disk bookworm "$arch" lib{bpf1,curl4,dw1,jansson4,md0,microhttpd12,ncursesw6} \
		lib{pcre2-8-0,protobuf-c1,tinfo6,yaml-0-2} bash coreutils curl findutils gawk \
		grep mount procps python3 sed util-linux | tail -n 1
}
