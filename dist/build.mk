# SPDX-License-Identifier: GPL-2.0-only
# make install installs the program, its man pages, the library, the services, and the module's sources
# for DKMS. DESTDIR and PREFIX work as usual. No service is started. With DESTDIR files are only copied:
# systemd, udev, DKMS and ldconfig of this machine are not called.
#
#	make install && dkms install ustack/VERSION && systemctl enable --now ustack-supply
#
# The packages (debian/ and dist/rpm) use these targets: see Documentation/install.md.

PREFIX ?= /usr/local
DESTDIR ?=
INSTALL ?= install
OBJCOPY ?= objcopy
INSTALL_ROOT = $(DESTDIR)$(PREFIX)
INSTALL_SRC = $(DESTDIR)/usr/src/ustack-$(USTACK_VERSION)
INSTALL_UNITS = $(DESTDIR)$(UNITDIR)
INSTALL_UDEV = $(DESTDIR)$(UDEVDIR)
# the folders of systemd and udev
UNITDIR ?= $(PREFIX)/lib/systemd/system
UDEVDIR ?= $(PREFIX)/lib/udev
# the folders of libraries and headers
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
UNITS := ustack-supply ustack-prebuild ustackd
# The module's sources without the files that a build makes. git ls-files is not used: git may be
# missing, or belong to another tree.
INSTALL_KMOD = $(shell find Kbuild kmod -type f ! -name '.*' ! -name '*.o' ! -name '*.ko' ! -name '*.mod' \
	! -name '*.mod.c' ! -name '*.cmd' ! -name modules.order ! -name Module.symvers)

# the man pages of libgsym, and the further names of two of them
LIBGSYM_PAGES := libgsym gsym_reader_open gsym_reader_lookup gsym_reader_symbol
LIBGSYM_PAGES_OF_OPEN := gsym_reader_open_memory gsym_reader_close
LIBGSYM_PAGES_OF_SYMBOL := gsym_reader_symbol_at gsym_reader_nr_symbols gsym_reader_uuid

.PHONY: install install-user install-header install-libgsym install-libgsym-dev install-service install-dkms uninstall
install: install-user install-header install-libgsym install-libgsym-dev install-service install-dkms

install-user: user
	$(INSTALL) -D -m 755 $(B)/ustack $(INSTALL_ROOT)/bin/ustack
	ln -sf ustack $(INSTALL_ROOT)/bin/ustackd
	for section in 1 5 7 8; do \
		$(INSTALL) -D -m 644 -t $(INSTALL_ROOT)/share/man/man$$section \
			Documentation/man/*.$$section || exit 1; done
	$(INSTALL) -D -m 644 scripts/completion/ustack.bash \
		$(INSTALL_ROOT)/share/bash-completion/completions/ustack
	ln -sf ustack $(INSTALL_ROOT)/share/bash-completion/completions/ustackd
	$(INSTALL) -D -m 644 -t $(INSTALL_ROOT)/share/zsh/site-functions scripts/completion/_ustack
	$(INSTALL) -D -m 644 -t $(INSTALL_ROOT)/share/fish/vendor_completions.d scripts/completion/ustack.fish
	ln -sf ustack.fish $(INSTALL_ROOT)/share/fish/vendor_completions.d/ustackd.fish

# for programs of users: the header of /dev/ustack, and the header and object of the stack walk in eBPF
install-header: $(BPF_LIBRARY)
	$(INSTALL) -D -m 644 -t $(INSTALL_ROOT)/include/linux kmod/uapi/ustack.h
	$(INSTALL) -D -m 644 -t $(INSTALL_ROOT)/include/ustack bpf/ustack_stack.bpf.h
	$(INSTALL) -D -m 644 -t $(INSTALL_ROOT)/lib/ustack $(BPF_LIBRARY)

# the files that a program linked with libgsym needs at run time
install-libgsym: libgsym
	$(INSTALL) -D -m 755 -t $(DESTDIR)$(LIBDIR) $(LIBGSYM)
	ln -sf $(notdir $(LIBGSYM)) $(DESTDIR)$(LIBDIR)/$(LIBGSYM_NAME)
	[ -n "$(DESTDIR)" ] || ! command -v ldconfig >/dev/null || ldconfig 2>/dev/null || :

# the files that are needed to compile such a program
install-libgsym-dev:
	$(INSTALL) -d $(DESTDIR)$(LIBDIR)/pkgconfig
	ln -sf $(LIBGSYM_NAME) $(DESTDIR)$(LIBDIR)/libgsym.so
	$(INSTALL) -D -m 644 -t $(DESTDIR)$(INCLUDEDIR) user/formats/gsym/gsym.h
	sed 's,@PREFIX@,$(PREFIX),; s,@LIBDIR@,$(LIBDIR),; s,@INCLUDEDIR@,$(INCLUDEDIR),; s,@VERSION@,$(LIBGSYM_VERSION),' \
		user/formats/gsym/gsym.pc.in >$(DESTDIR)$(LIBDIR)/pkgconfig/gsym.pc
	chmod 644 $(DESTDIR)$(LIBDIR)/pkgconfig/gsym.pc
	$(INSTALL) -D -m 644 -t $(INSTALL_ROOT)/share/man/man3 $(LIBGSYM_PAGES:%=Documentation/man/%.3)
	for name in $(LIBGSYM_PAGES_OF_OPEN); do \
		ln -sf gsym_reader_open.3 $(INSTALL_ROOT)/share/man/man3/$$name.3 || exit 1; done
	for name in $(LIBGSYM_PAGES_OF_SYMBOL); do \
		ln -sf gsym_reader_symbol.3 $(INSTALL_ROOT)/share/man/man3/$$name.3 || exit 1; done

# udev reads a rules file again only if it has changed. The file is touched, because udev may have read it
# before the group in it existed.
install-service:
	mkdir -p $(B)
	for unit in $(UNITS); do \
		sed 's,@BINDIR@,$(PREFIX)/bin,' dist/$$unit.service > $(B)/$$unit.service; \
		$(INSTALL) -D -m 644 -t $(INSTALL_UNITS) $(B)/$$unit.service || exit 1; done
	$(INSTALL) -D -m 644 dist/60-ustack.rules $(INSTALL_UDEV)/rules.d/60-ustack.rules
	$(INSTALL) -D -m 644 -t $(INSTALL_ROOT)/share/doc/ustack dist/ustackd.yaml \
		Documentation/*.md Documentation/*.svg LICENSE LICENSE-EXCEPTIONS LICENSE-MIT
	$(INSTALL) -D -m 644 -t $(INSTALL_ROOT)/share/doc/ustack/examples Documentation/examples/*
	$(INSTALL) -D -m 644 -t $(INSTALL_ROOT)/share/doc/ustack/decisions Documentation/decisions/*.md
	$(INSTALL) -D -m 644 -t $(INSTALL_ROOT)/share/doc/ustack/formats Documentation/formats/*.md
	$(INSTALL) -D -m 644 dist/ustack.sysusers.conf $(INSTALL_ROOT)/lib/sysusers.d/ustack.conf
	$(INSTALL) -D -m 644 dist/ustack.tmpfiles.conf $(INSTALL_ROOT)/lib/tmpfiles.d/ustack.conf
	[ -n "$(DESTDIR)" ] || ! [ -d /run/systemd/system ] || { \
		systemd-sysusers $(PREFIX)/lib/sysusers.d/ustack.conf; \
		systemd-tmpfiles --create $(PREFIX)/lib/tmpfiles.d/ustack.conf; \
		systemctl daemon-reload; \
		touch $(INSTALL_UDEV)/rules.d/60-ustack.rules; \
		udevadm control --reload; }

install-dkms:
	$(INSTALL) -d $(INSTALL_SRC)
	sed 's,#MODULE_VERSION#,$(USTACK_VERSION),' dkms.conf >$(INSTALL_SRC)/dkms.conf
	chmod 644 $(INSTALL_SRC)/dkms.conf
	for file in $(INSTALL_KMOD); do \
		$(INSTALL) -D -m 644 $$file $(INSTALL_SRC)/$$file || exit 1; done
	[ -n "$(DESTDIR)" ] || ! command -v dkms >/dev/null || \
		dkms add ustack/$(USTACK_VERSION) 2>/dev/null || :

# The steps of a release are in Documentation/releasing.md.
.PHONY: dist
dist:
	@dist/tarball $(B)/dist

# A program in one file, for machines without its libraries; Documentation/install.md says what it lacks.
.PHONY: static
static: $(B)/static/ustack
# Four functions of user/util/json.h have the same names as functions inside libjansson.
$(B)/static/libjansson.a:
	@mkdir -p $(@D)
	$(Q)$(OBJCOPY) $(foreach name,object array string null,--redefine-sym json_$(name)=jansson_$(name)) \
		"$$($(CC) -print-file-name=libjansson.a)" $@
$(B)/static/ustack: dist/static/absent.c $(B)/plain/user/main.o $(B)/plain/libustack.a $(B)/static/libjansson.a
	$(Q)$(CC) -std=gnu11 $(WARN) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -static-pie $^ \
		$(filter-out -lpthread -ljansson,$(USER_LIBS)) -lbz2 -o $@ 2>$@.log || { cat $@.log >&2; exit 1; }

# DKMS removes the module before its sources are deleted; services are stopped before their units are deleted.
uninstall:
	[ -n "$(DESTDIR)" ] || ! [ -d /run/systemd/system ] || \
		systemctl disable --now $(UNITS:%=%.service) 2>/dev/null || :
	[ -n "$(DESTDIR)" ] || ! command -v dkms >/dev/null || ! [ -d $(INSTALL_SRC) ] || \
		dkms remove ustack/$(USTACK_VERSION) --all || :
	rm -f $(INSTALL_ROOT)/bin/ustack{,d} $(INSTALL_ROOT)/share/man/man[1578]/ustack{,-*,d}{,.yaml}.[1578] \
		$(INSTALL_ROOT)/share/bash-completion/completions/ustack{,d} \
		$(INSTALL_ROOT)/share/zsh/site-functions/_ustack \
		$(INSTALL_ROOT)/share/fish/vendor_completions.d/ustack{,d}.fish \
		$(INSTALL_ROOT)/include/linux/ustack.h $(DESTDIR)$(INCLUDEDIR)/gsym.h \
		$(DESTDIR)$(LIBDIR)/$(notdir $(LIBGSYM)) $(DESTDIR)$(LIBDIR)/$(LIBGSYM_NAME) \
		$(DESTDIR)$(LIBDIR)/libgsym.so $(DESTDIR)$(LIBDIR)/pkgconfig/gsym.pc \
		$(addprefix $(INSTALL_ROOT)/share/man/man3/,$(addsuffix .3,$(LIBGSYM_PAGES) \
			$(LIBGSYM_PAGES_OF_OPEN) $(LIBGSYM_PAGES_OF_SYMBOL))) \
		$(UNITS:%=$(INSTALL_UNITS)/%.service) $(INSTALL_UDEV)/rules.d/60-ustack.rules \
		$(INSTALL_ROOT)/lib/sysusers.d/ustack.conf $(INSTALL_ROOT)/lib/tmpfiles.d/ustack.conf
	rm -rf $(INSTALL_SRC) $(INSTALL_ROOT)/share/doc/ustack $(INSTALL_ROOT)/include/ustack \
		$(INSTALL_ROOT)/lib/ustack
	[ -n "$(DESTDIR)" ] || ! [ -d /run/systemd/system ] || systemctl daemon-reload
