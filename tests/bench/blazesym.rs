// SPDX-License-Identifier: GPL-2.0-only
//! What blazesym takes for lookups in a GSYM file, as gsym_lookup.c for ustack: nanoseconds
//! of CPU time for each address of standard input, the name alone and the whole chain with
//! lines; in one call, the best of seven; the first of them.
//!
//! usage: blazesym FILE <ADDRESSES
use std::io::Read;

use blazesym::symbolize::source::{Gsym, GsymFile, Source};
use blazesym::symbolize::{Input, Symbolizer};

fn cpu() -> f64 {
    let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut t) };
    t.tv_sec as f64 * 1e9 + t.tv_nsec as f64
}

fn run(path: &str, addrs: &[u64], whole: bool) -> (f64, f64) {
    let source = Source::Gsym(Gsym::File(GsymFile::new(path)));
    let symbolizer = Symbolizer::builder()
        .enable_code_info(whole)
        .enable_inlined_fns(whole)
        .build();
    let times: Vec<f64> = (0..7)
        .map(|_| {
            let start = cpu();
            let found = symbolizer.symbolize(&source, Input::VirtOffset(addrs)).unwrap();
            let took = (cpu() - start) / addrs.len() as f64;
            assert!(found.iter().filter(|s| s.as_sym().is_some()).count() * 100 > addrs.len() * 99);
            took
        })
        .collect();
    (times[0], times.iter().copied().fold(f64::MAX, f64::min))
}

fn main() {
    let path = std::env::args().nth(1).expect("usage: blazesym FILE <ADDRESSES");
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let addrs: Vec<u64> = text
        .lines()
        .map(|l| u64::from_str_radix(l.trim_start_matches("0x"), 16).unwrap())
        .collect();
    let (first_name, name) = run(&path, &addrs, false);
    let (first_chain, chain) = run(&path, &addrs, true);
    println!(
        "blazesym: the first time, name {:.0} ns, chain {:.0} ns; warm, name {:.0} ns, chain {:.0} ns",
        first_name, first_chain, name, chain
    );
}
