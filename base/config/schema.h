// SPDX-License-Identifier: Apache-2.0
// The declarative description of every configuration key: reading, checking, printing and
// docs/configuration.md all come from it. A room keeps a plain struct with its defaults in place and one
// function that describes it:
//
//     struct L1Config {                       // pipeline/config.h: no parsing, no names
//       Bytes size = 128_KiB;
//       std::uint32_t ways = 2;
//       Bytes line = 64_B;
//       Cycles latency = 3_cycles;
//       Prefetch prefetch = Prefetch::None;
//     };
//     void describe(Schema& schema, L1Config& config) {  // pipeline/config_schema.cpp
//       schema.section("l1d", "first-level data cache");
//       schema.add("l1d.size", config.size, {1_KiB, 16_MiB}, "capacity", "paper 003 table 1");
//       schema.add("l1d.ways", config.ways, {1, 64}, "associativity", "paper 003 table 1");
//       schema.add("l1d.line", config.line, {16_B, 1_KiB, kPowerOfTwo}, "line size", "JPS1-V p. 12");
//       schema.add("l1d.latency", config.latency, {1_cycles, 64_cycles}, "load-to-use time of a hit",
//       kAssumption); schema.add("l1d.prefetch", config.prefetch, {{"none", Prefetch::None}, {"perfect",
//       Prefetch::Perfect}},
//                  "what is fetched before it is asked for", "paper 003 4.1");
//       schema.rule({"l1d.size", "l1d.ways", "l1d.line"},
//                   [&config] { return config.size.count % (config.ways * config.line.count) == 0; },
//                   "l1d.size must be a multiple of l1d.ways × l1d.line");
//     }
//
// The schema keeps references: the struct must outlive it, and its values at the time of add() are the
// defaults.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/config/setting.h"
#include "base/error.h"
#include "base/units.h"

namespace psim {

inline constexpr bool kPowerOfTwo = true;
/// The source of a number that no paper or manual gives.
inline constexpr std::string_view kAssumption = "assumption";

/// The closed interval of values that make sense.
template <class T>
struct Limits {
  T min, max;
  bool power_of_two = false;
};

/// One key: what it means, what it may be, what it is now, and who said so.
struct Field {
  std::string key;      ///< dotted path, "l1d.size"
  std::string doc;      ///< one line, no full stop
  std::string source;   ///< "paper 003 table 1", "JPS1-V p. 12", "assumption"
  std::string type;     ///< "a size", "true or false", "one of none, perfect", …
  std::string allowed;  ///< "16 B … 1 KiB, a power of two", "none | perfect", …
  std::string default_text;
  Origin origin;                      ///< where the present value was set; default if nowhere
  bool bad = false;                   ///< a setting was refused: the value is not what the user meant
  bool stated = false;                ///< a file gave the source beside the value
  bool quoted = false;                ///< prints as a TOML string
  std::function<std::string()> text;  ///< the present value, as a file would say it
  /// Takes the value; otherwise returns what was wrong and changes nothing.
  std::function<std::string(const Setting&)> set;
  /// A value within the limits, as a file would say it: the least at position 0, the greatest at 1. Numbers
  /// between are spread evenly over their orders of magnitude. Of a text: the present value.
  std::function<std::string(double position)> example;
};

class Schema {
 public:
  Schema() = default;
  Schema(const Schema&) = delete;
  Schema& operator=(const Schema&) = delete;

  void section(std::string_view table, std::string_view doc);
  void add(std::string_view key, bool& value, std::string_view doc, std::string_view source);
  void add(std::string_view key, std::string& value, std::string_view doc, std::string_view source);
  void add(std::string_view key, double& value, Limits<double>, std::string_view doc,
           std::string_view source);
  void add(std::string_view key, std::uint32_t& value, Limits<std::uint32_t>, std::string_view doc,
           std::string_view source);
  void add(std::string_view key, std::uint64_t& value, Limits<std::uint64_t>, std::string_view doc,
           std::string_view source);
  void add(std::string_view key, Cycles& value, Limits<Cycles>, std::string_view doc,
           std::string_view source);
  void add(std::string_view key, Bytes& value, Limits<Bytes>, std::string_view doc, std::string_view source);
  void add(std::string_view key, Hertz& value, Limits<Hertz>, std::string_view doc, std::string_view source);
  void add(std::string_view key, BytesPerSecond& value, Limits<BytesPerSecond>, std::string_view doc,
           std::string_view source);
  void add(std::string_view key, Picoseconds& value, Limits<Picoseconds>, std::string_view doc,
           std::string_view source);
  /// A plain number in the base unit of `dimension` (cycles, bytes, Hz, bytes/s, ps, fJ, uW), written
  /// with a unit; a Count is written without.
  void add(std::string_view key, std::uint32_t& value, Dimension dimension, Limits<std::uint32_t>,
           std::string_view doc, std::string_view source);
  void add(std::string_view key, std::uint64_t& value, Dimension dimension, Limits<std::uint64_t>,
           std::string_view doc, std::string_view source);
  void add(std::string_view key, double& value, Dimension dimension, Limits<double>, std::string_view doc,
           std::string_view source);
  template <class Enum>
  requires std::is_enum_v<Enum>
  void add(std::string_view key, Enum& value, std::vector<std::pair<std::string, Enum>> choices,
           std::string_view doc, std::string_view source) {
    std::vector<std::string> names;
    for (const auto& choice : choices) names.push_back(choice.first);
    add_choice(
        key, std::move(names),
        [&value, choices] {
          std::size_t i = 0;
          while (i + 1 < choices.size() && choices[i].second != value) ++i;
          return i;
        },
        [&value, choices](std::size_t i) { value = choices[i].second; }, doc, source);
  }

  /// What must hold between keys. Checked when none of `keys` was refused; a breach is reported at the first
  /// of `keys` that was set, with the values of all.
  void rule(std::vector<std::string> keys, std::function<bool()> holds, std::string_view expectation);

  /// A struct's own validate(), whose lines begin with the key they are about. Called when no setting was
  /// refused; each line is reported at the place where its key was set.
  void validate(std::function<void(Problems&)> check) { checks_.push_back(std::move(check)); }

  /// Takes the settings in order (later ones win) and checks the rules. Every problem is collected:
  /// "m.toml:7: l1d.wayz = 2: unknown key; did you mean l1d.ways?".
  /// Any key may say where its value comes from: latency = { value = "4 cycles", source = "data sheet" }.
  void apply(const std::vector<Setting>& settings, Problems& problems);

  struct Section {
    std::string table, doc;
  };
  const std::vector<Section>& sections() const { return sections_; }
  const std::vector<Field>& fields() const { return fields_; }
  /// Null if there is no such key.
  const Field* find(std::string_view key) const;
  /// ": unknown key; did you mean …?" for a key that find() does not know.
  std::string unknown(std::string_view key) const;

 private:
  struct Rule {
    std::vector<std::string> keys;
    std::function<bool()> holds;
    std::string expectation;
  };
  template <class Member, class Get, class Put>
  void add_quantity(std::string_view key, Dimension, Limits<Member>, Get, Put, std::string_view doc,
                    std::string_view source);
  void add_choice(std::string_view key, std::vector<std::string> names, std::function<std::size_t()> get,
                  std::function<void(std::size_t)> put, std::string_view doc, std::string_view source);
  void add_field(Field field, std::string_view key, std::string_view doc, std::string_view source);
  Field* target_of(const Setting& setting, bool& source);
  void check_rules(Problems& problems) const;
  void run_checks(Problems& problems) const;

  std::vector<Section> sections_;
  std::vector<Field> fields_;
  std::vector<Rule> rules_;
  std::vector<std::function<void(Problems&)>> checks_;
};

}  // namespace psim
