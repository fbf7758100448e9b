// SPDX-License-Identifier: GPL-2.0-only

// All kinds of stacks in Go: goroutines that park, garbage, timers, panics that are
// recovered, deep recursion that makes stacks grow, system calls, large frames, and signals
// at any time. It runs until it is killed.
package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"sort"
	"strings"
	"sync"
	"time"
)

var sink any

//go:noinline
func deep(n int) int {
	var pad [64]int
	if n == 0 {
		return len(pad)
	}
	pad[n%64] = deep(n - 1)
	return pad[n%64] + 1
}

//go:noinline
func large(n int) byte {
	var pad [70000]byte
	for i := range pad {
		pad[i] = byte(i * n)
	}
	return pad[n%len(pad)]
}

//go:noinline
func faults(p *int) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("recovered: %v", r)
		}
	}()
	*p = 1
	return nil
}

type node struct{ left, right *node }

func tree(n int) *node {
	if n == 0 {
		return &node{}
	}
	return &node{tree(n - 1), tree(n - 1)}
}

func pingPong(a, b chan int) {
	for v := range a {
		b <- v + 1
	}
}

func work(id int) {
	expr := regexp.MustCompile(`(a|b)*c+d?`)
	text := strings.Repeat("ababacd", 100)
	for i := 0; ; i++ {
		switch (i + id) % 8 {
		case 0:
			sink = tree(10)
		case 1:
			// on a new stack, which has to grow
			var wg sync.WaitGroup
			wg.Add(1)
			go func() { defer wg.Done(); deep(200 + i%100) }()
			wg.Wait()
		case 2:
			sink = expr.FindAllString(text, -1)
		case 3:
			sink = faults(nil)
		case 4:
			s := make([]string, 1000)
			for k := range s {
				s[k] = fmt.Sprintf("%x", sha256.Sum256([]byte{byte(k), byte(i)}))
			}
			sort.Strings(s)
		case 5:
			time.Sleep(time.Microsecond)
			sink = time.Now().String()
		case 6:
			f, err := os.Open("/proc/self/stat")
			if err == nil {
				b := make([]byte, 100)
				f.Read(b)
				f.Close()
			}
		case 7:
			sink = large(i)
			m := map[string]int{}
			for k := 0; k < 500; k++ {
				m[fmt.Sprint(k)] = k
			}
			runtime.Gosched()
		}
	}
}

func main() {
	a, b := make(chan int), make(chan int)
	go pingPong(a, b)
	go func() {
		for i := 0; ; i++ {
			a <- i
			<-b
		}
	}()
	for i := 0; i < 8; i++ {
		go work(i)
	}
	time.Sleep(time.Duration(1) << 60)
}
