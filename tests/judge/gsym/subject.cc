// SPDX-License-Identifier: GPL-2.0-only
/* A program with templates, inlined calls and cold parts, for gsym-judge: 4 MB of DWARF. */
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <regex>
#include <sstream>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace {

struct word {
	std::string text;
	std::size_t count;
};

template <typename Key, typename Value, template <typename...> class Map>
std::vector<std::pair<Key, Value>> sorted(const Map<Key, Value> &map)
{
	std::vector<std::pair<Key, Value>> ret(map.begin(), map.end());

	std::stable_sort(ret.begin(), ret.end(),
			 [](const auto &a, const auto &b) { return a.second > b.second; });
	return ret;
}

template <int N> struct tower {
	static std::size_t height(const std::string &s)
	{
		return tower<N - 1>::height(s) + std::hash<std::string>{}(s + char('a' + N % 26));
	}
};

template <> struct tower<0> {
	static std::size_t height(const std::string &s)
	{
		if (s.empty())
			throw std::invalid_argument("no name");
		return s.size();
	}
};

using value = std::variant<long, double, std::string, std::shared_ptr<word>>;

struct printer {
	std::ostream &out;

	void operator()(long v) const { out << v; }
	void operator()(double v) const { out << v; }
	void operator()(const std::string &v) const { out << v; }
	void operator()(const std::shared_ptr<word> &v) const { out << v->text << v->count; }
};

} // namespace

int main(int argc, char **argv)
{
	std::map<std::string, long> counts;
	std::unordered_map<std::string, value> values;
	std::regex words("([a-z]+)(-[0-9]+)?");
	std::mt19937 random(42);
	std::ostringstream out;

	for (int i = 0; i < argc; i++) {
		std::string arg = argv[i];

		for (std::sregex_iterator it(arg.begin(), arg.end(), words), end; it != end; ++it)
			counts[it->str(1)] += tower<40>::height(it->str()) % 7;
	}
	for (const auto &[text, count] : sorted(counts)) {
		values[text] = std::make_shared<word>(word{ text, std::size_t(count) });
		values[text + "-n"] = long(random());
		values[text + "-d"] = double(count) / 3;
		values[text + "-s"] = text;
	}
	for (const auto &[key, v] : values)
		std::visit(printer{ out }, v);
	std::cout << out.str() << std::accumulate(counts.begin(), counts.end(), 0L,
		[](long sum, const auto &c) { return sum + c.second; }) << '\n';
	return 0;
}
