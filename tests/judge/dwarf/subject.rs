// SPDX-License-Identifier: GPL-2.0-only
// Names of Rust's, closures and traits.
trait Shape {
    fn area(&self) -> u64;
}
struct Square(u64);
impl Shape for Square {
    #[inline(never)]
    fn area(&self) -> u64 {
        self.0 * self.0
    }
}

#[inline(never)]
fn sum(shapes: &[Box<dyn Shape>]) -> u64 {
    shapes.iter().map(|s| s.area()).filter(|a| a % 3 != 1).sum()
}

fn main() {
    let n = std::env::args().count() as u64;
    let shapes: Vec<Box<dyn Shape>> =
        (0..n + 4).map(|i| Box::new(Square(i)) as Box<dyn Shape>).collect();
    println!("{}", sum(&shapes));
}
