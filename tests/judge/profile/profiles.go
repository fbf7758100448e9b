// SPDX-License-Identifier: GPL-2.0-only

// Writes profiles by Go's runtime: CPU with labels, heap, goroutines.
package main

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"sort"
	"strconv"
	"syscall"
	"time"
)

var kept [][]byte

//go:noinline
func work(n int) (sum int) {
	v := make([]int, n)
	for i := range v {
		v[i] = (i * 7919) % n
	}
	sort.Ints(v)
	for i, x := range v {
		sum += i ^ x
	}
	return sum
}

//go:noinline
func deep(n int) int {
	if n == 0 {
		return work(20000)
	}
	return deep(n-1) + 1
}

func create(dir, name string) *os.File {
	f, err := os.Create(filepath.Join(dir, name+".pb.gz"))
	if err != nil {
		panic(err)
	}
	return f
}

// The CPU time that the process has used; by the clock a busy machine would give it less.
func cpuTime() time.Duration {
	var usage syscall.Rusage

	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func main() {
	dir := os.Args[1]
	runtime.MemProfileRate = 512
	f := create(dir, "cpu")
	if err := pprof.StartCPUProfile(f); err != nil {
		panic(err)
	}
	end := cpuTime() + 2*time.Second
	for i := 0; cpuTime() < end; i++ {
		labels := pprof.Labels("turn", strconv.Itoa(i%3), "thread", "main")
		pprof.Do(context.Background(), labels, func(context.Context) {
			deep(i % 40)
			kept = append(kept, make([]byte, 1000*(i%10)))
		})
	}
	pprof.StopCPUProfile()
	f.Close()
	for _, name := range []string{"heap", "goroutine", "threadcreate"} {
		f := create(dir, name)
		if err := pprof.Lookup(name).WriteTo(f, 0); err != nil {
			panic(err)
		}
		f.Close()
	}
}
