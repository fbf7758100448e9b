// SPDX-License-Identifier: GPL-2.0-only

// Go calls C, which calls Go, several times over, on stacks that grow meanwhile. The C code
// keeps frame pointers.
package main

/*
#cgo CFLAGS: -O2 -g -fno-omit-frame-pointer
extern int goDown(int);

static __attribute__((noinline)) int spin(int n)
{
	volatile int v = n;

	for (int i = 0; i < 2000; i++)
		v = v * 3 + i;
	return v;
}

static __attribute__((noinline)) int down(int n)
{
	return (n ? goDown(n - 1) : 0) + spin(n);
}
*/
import "C"

import "runtime"

//export goDown
func goDown(n C.int) C.int {
	if n%3 == 0 {
		runtime.GC()
	}
	return C.down(n) + 1
}

func main() {
	for i := 0; i < 4; i++ {
		go func() {
			for {
				goDown(6)
			}
		}()
	}
	select {}
}
