// SPDX-License-Identifier: GPL-2.0-only
//! Says what is in files: of Rust's, their syntax tree; of JSON, it once more; of
//! others, the lines that a pattern matches. What it is for is its DWARF.
use std::{collections::BTreeMap, fs, path::PathBuf};

use clap::Parser;
use syn::visit::{self, Visit};

#[derive(Parser)]
struct Options {
    #[arg(short, long, default_value = r"\b(\w+)\s*=\s*(\d+|0x[[:xdigit:]]+)")]
    pattern: String,
    files: Vec<PathBuf>,
}

#[derive(Default)]
struct Count(BTreeMap<String, usize>);

impl<'ast> Visit<'ast> for Count {
    fn visit_item_fn(&mut self, f: &'ast syn::ItemFn) {
        *self.0.entry(f.sig.ident.to_string()).or_default() += f.block.stmts.len();
        visit::visit_item_fn(self, f);
    }
}

fn show(path: &PathBuf, pattern: &regex::Regex) -> Result<(), Box<dyn std::error::Error>> {
    let text = fs::read_to_string(path)?;
    match path.extension().and_then(|e| e.to_str()) {
        Some("rs") => {
            let tree = syn::parse_file(&text)?;
            let mut count = Count::default();
            count.visit_file(&tree);
            println!("{:#?} {:?}", tree, count.0);
        }
        Some("json") => {
            let value: serde_json::Value = serde_json::from_str(&text)?;
            println!("{}", serde_json::to_string_pretty(&value)?);
        }
        _ => text
            .lines()
            .filter_map(|l| pattern.captures(l))
            .for_each(|c| println!("{} {}", &c[1], &c[2])),
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = Options::parse();
    let pattern = regex::Regex::new(&options.pattern)?;
    options.files.iter().try_for_each(|f| show(f, &pattern))
}
