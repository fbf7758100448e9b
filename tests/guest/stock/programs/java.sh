# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# The work of the programs in Java: recursion, sorting with a comparator, a map, text. Sourced after
# lib.sh.
java=/usr/lib/jvm/java-17-openjdk-amd64/bin
if [ ! -e Work.class ]; then
	cat >Work.java <<'END2'
import java.util.*;
import java.util.stream.*;

public class Work {
	static int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }
	interface Shape { double area(); }
	record Square(double side) implements Shape { public double area() { return side * side; } }
	record Circle(double r) implements Shape { public double area() { return Math.PI * r * r; } }

	static int turn(Random random) {
		List<Integer> words = IntStream.range(0, 3000).mapToObj(i -> random.nextInt(1 << 30))
			.collect(Collectors.toList());
		words.sort(Comparator.comparing((Integer a) -> a % 1009).thenComparing(a -> a));
		Map<String, List<Integer>> byText = new TreeMap<>();
		for (int w : words)
			byText.computeIfAbsent(Integer.toString(w % 5000), k -> new ArrayList<>()).add(w);
		double sum = words.stream().map(w -> (Shape) (w % 2 == 0 ? new Square(w) : new Circle(w)))
			.mapToDouble(Shape::area).sum();
		return byText.size() + depth(words.get(0) % 60) + (int) sum
			+ String.join(" ", byText.keySet()).replaceAll("(\\d)5", "$1x").length();
	}

	public static void main(String[] args) {
		long end = System.nanoTime() + 1_000_000_000L * Long.parseLong(args[0]);
		Random random = new Random(1);
		int all = 0;
		while (System.nanoTime() < end)
			all += turn(random);
		System.out.println(all);
	}
}
END2
	"$java/javac" Work.java
fi
