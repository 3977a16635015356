// SPDX-License-Identifier: Apache-2.0
#include "mpi/collective/collective_times.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace psim::net::mpi {
namespace {

constexpr double kPsOfSecond = 1e12, kMostSeconds = 1e5;

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\"");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\"") - first + 1);
}

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (;;) {
    const auto comma = line.find(',');
    fields.push_back(trimmed(line.substr(0, comma)));
    if (comma == line.npos) return fields;
    line.remove_prefix(comma + 1);
  }
}

[[noreturn]] void bad_row(std::size_t line, std::string_view column, std::string_view value,
                          const std::string& why) {
  throw std::invalid_argument(std::to_string(line) + ": " + std::string(column) + " = " + std::string(value) +
                              ": " + why);
}

template <class Number>
Number number_in(std::size_t line, std::string_view column, std::string_view text, Number least,
                 Number most) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value >= least && value <= most)) {
    const auto shown = [](Number bound) {
      char digits[32];
      return std::string(digits, std::to_chars(digits, digits + sizeof digits, bound).ptr);
    };
    bad_row(line, column, text, "expected a number from " + shown(least) + " to " + shown(most));
  }
  return value;
}

/// The columns of the header line.
struct Columns {
  static constexpr std::size_t kNone = ~std::size_t{0};
  std::size_t collective = kNone, ranks = kNone, bytes = kNone, time = kNone;
  double unit = 1;  ///< of `time`, s
  std::size_t last = 0;

  Columns(std::size_t line, std::string_view text) {
    const std::vector<std::string_view> names = fields_of(text);
    const auto take = [&](std::string_view name) {
      const auto found = std::ranges::find(names, name);
      if (found == names.end()) return kNone;
      last = std::max(last, static_cast<std::size_t>(found - names.begin()));
      return static_cast<std::size_t>(found - names.begin());
    };
    collective = take("collective");
    ranks = take("ranks");
    bytes = take("bytes");
    time = take("seconds");
    if (time == kNone) {
      time = take("microseconds");
      unit = 1e-6;
    }
    if (collective == kNone || ranks == kNone || bytes == kNone || time == kNone)
      throw std::invalid_argument(
          std::to_string(line) +
          ": expected a line with the names of the columns: collective,ranks,bytes,seconds");
  }
};

/// Returns the value at x on the line through two points.
double between(double x0, double y0, double x1, double y1, double x) {
  return x0 == x1 ? y0 : y0 + (y1 - y0) * ((x - x0) / (x1 - x0));
}

double log_of(std::uint64_t size) { return std::log(static_cast<double>(std::max<std::uint64_t>(size, 1))); }

}  // namespace

CollectiveTimes::CollectiveTimes(std::string_view csv) {
  std::optional<Columns> columns;
  for (std::size_t line = 1; !csv.empty(); ++line) {
    const auto end = csv.find('\n');
    const std::string_view text = trimmed(csv.substr(0, end));
    csv = end == csv.npos ? std::string_view{} : csv.substr(end + 1);
    if (text.empty() || text.starts_with('#')) continue;
    if (!columns) {
      columns.emplace(line, text);
      continue;
    }
    const std::vector<std::string_view> fields = fields_of(text);
    if (fields.size() <= columns->last)
      throw std::invalid_argument(std::to_string(line) + ": " + std::to_string(fields.size()) +
                                  " columns; expected those of the first line");
    const std::string_view name = fields[columns->collective];
    const auto& names = collective_names();
    const auto kind = std::ranges::find(names, name, &CollectiveNames::collective);
    if (kind == names.end()) {
      std::string all;
      for (const CollectiveNames& known : names)
        all += (all.empty() ? "" : ", ") + std::string(known.collective);
      bad_row(line, "collective", name, "expected one of " + all);
    }
    const auto ranks = number_in<std::uint32_t>(line, "ranks", fields[columns->ranks], 1, 1u << 24);
    const auto bytes =
        number_in<std::uint64_t>(line, "bytes", fields[columns->bytes], 0, std::uint64_t{1} << 50);
    const double time =
        number_in<double>(line, columns->unit == 1 ? "seconds" : "microseconds", fields[columns->time],
                          2 / kPsOfSecond / columns->unit, kMostSeconds / columns->unit);
    Sum& sum = tables_[kind - names.begin()][ranks][bytes];
    sum.seconds += time * columns->unit;
    ++sum.rows;
  }
}

std::optional<double> CollectiveTimes::logarithm_at(const Curve& curve, std::uint64_t bytes) {
  const auto above = curve.lower_bound(bytes);
  if (above == curve.end()) return {};
  if (above->first == bytes || (bytes == 0 && above->first == 1)) return std::log(above->second.mean());
  if (above == curve.begin()) return {};
  const auto below = std::prev(above);
  return between(log_of(below->first), std::log(below->second.mean()), log_of(above->first),
                 std::log(above->second.mean()), log_of(bytes));
}

std::optional<std::uint64_t> CollectiveTimes::time(CollectiveKind collective, std::uint32_t ranks,
                                                   std::uint64_t bytes) const {
  const Table& table = tables_[static_cast<std::size_t>(collective)];
  const auto above = table.lower_bound(ranks);
  if (above == table.end()) return {};
  std::optional<double> logarithm = logarithm_at(above->second, bytes);
  if (above->first != ranks) {
    if (above == table.begin()) return {};
    const auto below = std::prev(above);
    const std::optional<double> other = logarithm_at(below->second, bytes);
    if (!logarithm || !other) return {};
    logarithm = between(log_of(below->first), *other, log_of(above->first), *logarithm, log_of(ranks));
  }
  if (!logarithm) return {};
  return static_cast<std::uint64_t>(std::llround(std::exp(*logarithm) * kPsOfSecond));
}

std::string CollectiveTimes::covered(CollectiveKind collective, std::uint32_t ranks) const {
  const Table& table = tables_[static_cast<std::size_t>(collective)];
  if (table.empty()) return "nothing";
  std::string text = std::to_string(table.begin()->first) + " to " +
                     std::to_string(std::prev(table.end())->first) + " ranks";
  const auto add = [&text](const Table::value_type& row) {
    text += "; " + std::to_string(row.second.begin()->first) + " to " +
            std::to_string(std::prev(row.second.end())->first) + " bytes with " + std::to_string(row.first) +
            " ranks";
  };
  const auto above = table.lower_bound(ranks);
  if (above != table.begin() && (above == table.end() || above->first != ranks)) add(*std::prev(above));
  if (above != table.end()) add(*above);
  return text;
}

std::uint64_t CollectiveTimes::least() const {
  double least = 0;
  for (const Table& table : tables_)
    for (const auto& [ranks, curve] : table)
      for (const auto& [bytes, sum] : curve)
        if (ranks > 1 && (least == 0 || sum.mean() < least)) least = sum.mean();
  return static_cast<std::uint64_t>(least * kPsOfSecond);
}

}  // namespace psim::net::mpi
