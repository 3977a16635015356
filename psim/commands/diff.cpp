// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "base/console.h"
#include "psim/commands/command.h"
#include "psim/commands/result_file.h"
#include "report/net/packet_order.h"

namespace psim::commands {
namespace {

using nlohmann::json;

struct DiffOptions {
  std::string first, second;
  double tolerance = 0;
  bool host = false;
};

std::string shown(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

class Comparison {
 public:
  explicit Comparison(double tolerance) : tolerance_(tolerance) {}

  void compare(const std::string& key, const json& a, const json& b) {
    if (a.is_object() && b.is_object()) {
      std::set<std::string> names;
      for (const auto& item : a.items()) names.insert(item.key());
      for (const auto& item : b.items()) names.insert(item.key());
      for (const std::string& name : names) {
        const std::string inner = key.empty() ? name : key + "." + name;
        if (!b.contains(name))
          print_difference(inner, shown(a[name]), "(none)");
        else if (!a.contains(name))
          print_difference(inner, "(none)", shown(b[name]));
        else
          compare(inner, a[name], b[name]);
      }
    } else if (a.is_array() && b.is_array() && a.size() == b.size()) {
      for (std::size_t i = 0; i < a.size(); ++i) compare(fmt::format("{}[{}]", key, i), a[i], b[i]);
    } else if (a.is_number() && b.is_number() && a != b) {
      const double x = a.get<double>(), y = b.get<double>(), scale = std::max(std::abs(x), std::abs(y));
      if (std::abs(x - y) > tolerance_ * scale || tolerance_ == 0)
        print_difference(key, shown(a), shown(b),
                         x == 0 ? "" : fmt::format("  ({:+.3g} %)", (y - x) / std::abs(x) * 100));
    } else if (a != b) {
      print_difference(key, shown(a), shown(b));
    }
  }
  int differences() const { return differences_; }

 private:
  void print_difference(const std::string& key, const std::string& a, const std::string& b,
                        const std::string& more = {}) {
    console::print("{}: {} → {}{}\n", key, a, b, more);
    ++differences_;
  }
  double tolerance_;
  int differences_ = 0;
};

int diff(const DiffOptions& options) {
  if (is_packet_order(options.first) || is_packet_order(options.second))
    return compare_packet_orders(options.first, options.second) ? 0 : 1;
  json first = read_result(options.first), second = read_result(options.second);
  for (json* document : {&first, &second}) {
    if (!options.host) document->erase("host");
    document->erase("page");
    // The hash differs whenever any value does, so it carries no information with a tolerance.
    document->erase("result_hash");
  }
  Comparison comparison(options.tolerance);
  comparison.compare("", first, second);
  return comparison.differences() == 0 ? 0 : 1;
}

std::function<int()> set_up_diff(CLI::App& app) {
  auto options = std::make_shared<DiffOptions>();
  app.add_option("A", options->first,
                 "a result, as --json writes it, or an order of packets, as --order does")
      ->required();
  app.add_option("B", options->second, "another")->required();
  app.add_option("--tolerance", options->tolerance, "numbers may differ by this share of the larger [0]")
      ->type_name("SHARE")
      ->check(number_in(0.0, 1.0));
  app.add_flag("--host", options->host, "also compare the values under host");
  return [options] { return diff(*options); };
}

}  // namespace

const Command kDiff{
    .name = "diff",
    .usage = "A B",
    .summary = "compare two results key by key; status 1 if they differ",
    .examples =
        "  psim diff before.json after.json\n"
        "  psim diff --tolerance 0.01 before.json after.json\n",
    .setup = set_up_diff,
};

}  // namespace psim::commands
