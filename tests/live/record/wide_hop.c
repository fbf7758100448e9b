// SPDX-License-Identifier: GPL-2.0-only
/* Code that runs wherever it is mapped: it reads only its arguments. */
#include "wide_hop.h"

void hop(struct wide_step *step)
{
	step[1].call(step + 1);
	step->calls++;
}
