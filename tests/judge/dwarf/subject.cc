// SPDX-License-Identifier: GPL-2.0-only
// Names in namespaces, classes, templates and lambdas; with and without linkage names.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace outer {
namespace {
struct Hidden {
	int v;
	__attribute__((noinline)) int get(int x) const { return v * x; }
};
}
template <typename T> struct Box {
	T value;
	explicit Box(T v) : value(v) {}
	virtual ~Box() { std::puts("gone"); }
	T add(T other) const { return value + other; }
};
inline namespace v2 {
__attribute__((noinline)) int run(int x)
{
	Hidden h{x};
	auto twice = [&](int y) { return h.get(y) + Box<int>(x).add(y); };
	return twice(x) + twice(3);
}
}
}

static __attribute__((noinline)) std::string join(const std::vector<std::string> &all)
{
	std::string ret;

	for (const auto &s : all)
		try {
			ret += s.at(2);
		} catch (const std::exception &e) {
			ret += e.what();
		}
	return ret;
}

int main(int argc, char **argv)
{
	auto p = std::make_shared<outer::Box<long>>(argc);
	std::vector<std::string> all(argv, argv + argc);

	std::printf("%s %ld %d\n", join(all).c_str(), p->add(2), outer::run(argc));
	return 0;
}
