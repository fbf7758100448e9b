// SPDX-License-Identifier: GPL-2.0-only

// Go calls C, which never calls Go. The C code keeps frame pointers.
package main

/*
#cgo CFLAGS: -O2 -g -fno-omit-frame-pointer
static __attribute__((noinline)) int spin(int n)
{
	volatile int v = n;

	for (int i = 0; i < 2000; i++)
		v = v * 3 + i;
	return v;
}

static __attribute__((noinline)) int down(int n)
{
	return (n ? down(n - 1) : 0) + spin(n);
}
*/
import "C"

//go:noinline
func enter(n int) int {
	if n > 0 {
		return enter(n-1) + 1
	}
	return int(C.down(5))
}

func main() {
	for i := 0; i < 4; i++ {
		go func() {
			for k := 0; ; k++ {
				enter(k % 50)
			}
		}()
	}
	select {}
}
