# SPDX-License-Identifier: GPL-2.0-only
# Compares image maps with a decoder and an encoder in Python, and with processes.
#
#   make imagemap-judge        100 random maps
#   make imagemap-judge-all    2000 random maps, and the size of the map of each process

.PHONY: imagemap-judge imagemap-judge-all
imagemap-judge: $(B)/ustack
	@scripts/deps.sh imagemap
	@tests/judge/imagemap/run $<
imagemap-judge-all: $(B)/ustack
	@scripts/deps.sh imagemap
	@tests/judge/imagemap/run --seeds 2000 --verbose $<

CHECKS_LIVE += imagemap-judge
NIGHTLY += imagemap-judge-all
