# SPDX-License-Identifier: GPL-2.0-only
# Tests of the container image and of its installation on a cluster.
#
#	make container		starts the image as its DaemonSet would; needs root
#	make container-image	builds all stages of the image from the sources of this tree
#	make kubernetes		checks the manifest and the chart
.PHONY: container container-image kubernetes
container: $(B)/ustack
	@scripts/deps.sh container vm-root
	@rm -rf $(B)/container && mkdir -p $(B)/container
	@$(MAKE) --no-print-directory install-user PREFIX=/usr DESTDIR=$(abspath $(B))/container/out >$(B)/container/log 2>&1 || \
		{ cat $(B)/container/log; exit 1; }
	@tests/delivery/container/run $(abspath $(B))/container

container-image:
	@scripts/deps.sh container vm-root
	@tests/delivery/container/whole

$(B)/kubernetes/render: tests/delivery/container/render/main.go
	@scripts/deps.sh container
	@mkdir -p $(@D)
	@GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE=$(abspath $(@D))/cache go build -o $@ $<

kubernetes: $(B)/kubernetes/render $(B)/ustack
	@/usr/bin/python3 tests/delivery/container/manifests $<

CHECKS += kubernetes
CHECK_BUILD += $(B)/kubernetes/render
CHECKS_LIVE += container
NIGHTLY += container-image
