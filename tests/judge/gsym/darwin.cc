// SPDX-License-Identifier: GPL-2.0-only
/* Compiled for Darwin, without its headers, by tests/judge/gsym/darwin. */
extern "C" int given(int x);

namespace count {
namespace {

struct tally {
	int sum = 0;

	__attribute__((noinline)) void add(int x) { sum += given(x); }
	int mean(int n) const { return n ? sum / n : given(n); }
	~tally() { given(sum); }
};

template <int N> inline int power(int x)
{
	return x * power<N - 1>(x) + given(N);
}

template <> inline int power<0>(int x)
{
	return given(x);
}

}

struct shape {
	virtual ~shape() = default;
	virtual int area(int x) const { return power<2>(x); }
};

struct cube : shape {
	int area(int x) const override
	{
		auto side = [x](int y) { return given(x * y) + y; };

		return 6 * side(x) + side(x + 1);
	}
};

int both(const shape &a, int x)
{
	return a.area(x) + cube().area(x);
}

}

extern "C" int tally_of(const int *p, int n)
{
	count::tally t;

	for (int i = 0; i < n; i++)
		t.add(count::power<3>(p[i]));
	return t.mean(n);
}

void operator delete(void *, unsigned long) noexcept
{
}
