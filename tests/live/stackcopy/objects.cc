// SPDX-License-Identifier: GPL-2.0-only
// Virtual calls, std::function, std::sort, std::regex, exceptions; two threads.
//
// usage: objects SECONDS: of CPU time, each thread
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <regex>
#include <string>
#include <thread>
#include <time.h>
#include <vector>

struct shape {
	virtual ~shape() = default;
	virtual double area(int depth) const = 0;
};

struct square : shape {
	double a;
	explicit square(double x) : a(x) {}
	double area(int depth) const override { return depth ? area(depth - 1) + a : a * a; }
};

static double one(unsigned n, std::map<std::string, std::vector<int>> &all, const std::regex &re)
{
	std::string key = std::to_string(n % 977), text = "abc" + key + "x";
	std::function<bool(int, int)> less = [&](int a, int b) { return a < b; };
	std::vector<int> &v = all[key];
	std::smatch found;

	v.push_back((int)n);
	std::sort(v.begin(), v.end(), less);
	if (v.size() > 300)
		v.clear();
	if (n % 50 == 0)
		throw n;
	return square(n).area(20) + std::regex_search(text, found, re);
}

static double thread_seconds()
{
	timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void work(double seconds)
{
	std::map<std::string, std::vector<int>> all;
	std::regex re("([a-f]+)([0-9]*)x");
	double sum = 0;

	for (unsigned n = 1; thread_seconds() < seconds; n++) {
		try {
			sum += one(n, all, re);
		} catch (unsigned x) {
			sum += x;
		}
	}
	if (sum == 1)
		std::abort();
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? std::atof(argv[1]) : 1;
	std::thread other(work, seconds);

	work(seconds);
	other.join();
}
