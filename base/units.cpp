// SPDX-License-Identifier: Apache-2.0
#include "base/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <span>

namespace psim {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t factor;
  bool prints;                // false: a spelling that is read but never written
  std::uint64_t divisor = 1;  // the unit is factor / divisor base units
};

constexpr std::uint64_t kKilo = 1000, kMega = kKilo * kKilo, kGiga = kMega * kKilo, kTera = kGiga * kKilo;
constexpr std::uint64_t kKibi = 1024, kMebi = kKibi * kKibi, kGibi = kMebi * kKibi, kTebi = kGibi * kKibi;

// Sorted from the smallest to the largest: printing uses the last one that divides the value.
constexpr std::array kCycleUnits{Unit{"cycle", 1, false}, Unit{"cycles", 1, true}};
constexpr std::array kSizeUnits{Unit{"B", 1, true},       Unit{"KB", kKibi, false}, Unit{"KiB", kKibi, true},
                                Unit{"MB", kMebi, false}, Unit{"MiB", kMebi, true}, Unit{"GB", kGibi, false},
                                Unit{"GiB", kGibi, true}, Unit{"TB", kTebi, false}, Unit{"TiB", kTebi, true}};
constexpr std::array kFrequencyUnits{Unit{"Hz", 1, true}, Unit{"kHz", kKilo, true}, Unit{"MHz", kMega, true},
                                     Unit{"GHz", kGiga, true}};
constexpr std::array kBandwidthUnits{
    Unit{"B/s", 1, true}, Unit{"kB/s", kKilo, false}, Unit{"KB/s", kKilo, true}, Unit{"KiB/s", kKibi, false},
    Unit{"MB/s", kMega, true}, Unit{"MiB/s", kMebi, false}, Unit{"GB/s", kGiga, true},
    Unit{"GiB/s", kGibi, false}, Unit{"TB/s", kTera, true}, Unit{"TiB/s", kTebi, false},
    // As in data sheets of networks: eight bits to the byte.
    Unit{"bit/s", 1, false, 8}, Unit{"kbit/s", kKilo, false, 8}, Unit{"Mbit/s", kMega, false, 8},
    Unit{"Gbit/s", kGiga, false, 8}, Unit{"Tbit/s", kTera, false, 8}, Unit{"bps", 1, false, 8},
    Unit{"kbps", kKilo, false, 8}, Unit{"Mbps", kMega, false, 8}, Unit{"Gbps", kGiga, false, 8},
    Unit{"Tbps", kTera, false, 8}};
constexpr std::array kEnergyUnits{Unit{"fJ", 1, true},     Unit{"pJ", kKilo, true},  Unit{"nJ", kMega, true},
                                  Unit{"uJ", kGiga, true}, Unit{"µJ", kGiga, false}, Unit{"mJ", kTera, true}};
constexpr std::array kPowerUnits{Unit{"uW", 1, true}, Unit{"µW", 1, false}, Unit{"mW", kKilo, true},
                                 Unit{"W", kMega, true}};
constexpr std::array kFlopRateUnits{Unit{"flop/s", 1, true}, Unit{"MFlop/s", kMega, true},
                                    Unit{"GFlop/s", kGiga, true}, Unit{"TFlop/s", kTera, true},
                                    Unit{"PFlop/s", kTera* kKilo, true}};
constexpr std::array kTimeUnits{Unit{"ps", 1, true},      Unit{"ns", kKilo, true}, Unit{"us", kMega, true},
                                Unit{"µs", kMega, false}, Unit{"ms", kGiga, true}, Unit{"s", kTera, true}};

struct Kind {
  Dimension dimension;
  std::string_view name, example;
  std::span<const Unit> units;
};
constexpr Kind kKinds[] = {
    {Dimension::Count, "a whole number", "4", {}},
    {Dimension::Cycles, "a number of cycles", "12 cycles", kCycleUnits},
    {Dimension::Size, "a size", "128 KiB", kSizeUnits},
    {Dimension::Frequency, "a frequency", "2 GHz", kFrequencyUnits},
    {Dimension::Bandwidth, "a bandwidth", "4 GB/s", kBandwidthUnits},
    {Dimension::Time, "a time", "17 us", kTimeUnits},
    {Dimension::Energy, "an energy", "80 fJ", kEnergyUnits},
    {Dimension::Power, "a power", "6 W", kPowerUnits},
    {Dimension::FlopRate, "a rate of floating-point operations", "64 GFlop/s", kFlopRateUnits},
};
static_assert(std::ranges::all_of(kKinds, [](const Kind& kind) {
  return &kind == &kKinds[static_cast<std::size_t>(kind.dimension)];
}));
const Kind& kind_of(Dimension dimension) { return kKinds[static_cast<std::size_t>(dimension)]; }
std::span<const Unit> units_of(Dimension dimension) { return kind_of(dimension).units; }

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr std::uint64_t kLargest = std::numeric_limits<std::int64_t>::max();

}  // namespace

std::string_view name(Dimension dimension) { return kind_of(dimension).name; }
std::string_view example(Dimension dimension) { return kind_of(dimension).example; }

std::string units(Dimension dimension) {
  std::string all;
  for (const Unit& unit : units_of(dimension)) {
    if (!all.empty()) all += ", ";
    all += unit.name;
  }
  return all;
}

ParsedQuantity parse_quantity(std::string_view text, Dimension dimension) {
  const auto refuse = [](std::string problem) { return ParsedQuantity{std::nullopt, std::move(problem)}; };
  std::size_t at = 0;
  if (at < text.size() && text[at] == '-') return refuse("is negative");
  if (at < text.size() && text[at] == '+') ++at;
  // Reads the number: digits, '_' between them as in TOML, one point.
  unsigned __int128 digits = 0;
  unsigned decimals = 0;
  bool any = false, point = false;
  for (; at < text.size() && (is_digit(text[at]) || text[at] == '.' || text[at] == '_'); ++at) {
    if (text[at] == '_') continue;
    if (text[at] == '.') {
      if (point) return refuse("is not a number");
      point = true;
      continue;
    }
    any = true;
    digits = digits * 10 + static_cast<unsigned>(text[at] - '0');
    decimals += point ? 1 : 0;
    if (digits > kLargest) return refuse("is too large");
  }
  if (!any) return refuse("is not a number");
  while (at < text.size() && text[at] == ' ') ++at;
  const std::string_view suffix = text.substr(at);
  std::uint64_t factor = 1, divisor = 1;
  const std::span<const Unit> known = units_of(dimension);
  if (known.empty()) {
    if (!suffix.empty()) return refuse(fmt::format("has '{}' after the number, which takes no unit", suffix));
  } else {
    if (suffix.empty()) return refuse("has no unit");
    const Unit* found = nullptr;
    for (const Unit& unit : known)
      if (unit.name == suffix) found = &unit;
    if (found == nullptr)
      return refuse(fmt::format("has '{}' where a unit ({}) belongs", suffix, units(dimension)));
    factor = found->factor;
    divisor = found->divisor;
  }
  unsigned __int128 scaled = digits * factor;  // < 2^63 · 2^40
  const auto divide = [&scaled](std::uint64_t by) {
    const bool whole = scaled % by == 0;
    scaled /= by;
    return whole;
  };
  bool whole = divide(divisor);
  for (; whole && decimals > 0; --decimals) whole = divide(10);
  if (!whole)
    return refuse("is not a whole number of " + std::string(known.empty() ? "ones" : known.front().name));
  if (scaled > kLargest) return refuse("is too large");
  return {static_cast<std::uint64_t>(scaled), {}};
}

std::string format_quantity(std::uint64_t value, Dimension dimension) {
  const Unit* best = nullptr;
  for (const Unit& unit : units_of(dimension))
    if (unit.prints && (best == nullptr || (value != 0 && value % unit.factor == 0))) best = &unit;
  if (dimension == Dimension::Cycles && value == 1) return "1 cycle";
  return best == nullptr ? fmt::format("{}", value) : fmt::format("{} {}", value / best->factor, best->name);
}

}  // namespace psim
