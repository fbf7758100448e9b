// SPDX-License-Identifier: GPL-2.0-only
/* A program that does nothing; with an argument, it writes a byte and waits. */
#include <unistd.h>

int main(int argc, char **argv)
{
	if (argc > 1 && write(STDOUT_FILENO, "", 1) == 1)
		pause();
	return 0;
}
