// SPDX-License-Identifier: Apache-2.0
// The declarative description of every configuration key, from which reading, checking, printing and
// docs/configuration.md are derived. A room keeps a plain struct with its defaults in place and one function
// that describes it:
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
//                  kAssumption);
//       schema.add("l1d.prefetch", config.prefetch,
//                  {{"none", Prefetch::None}, {"perfect", Prefetch::Perfect}},
//                  "lines fetched before an access requests them", "paper 003 4.1");
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
/// The source of a number that no paper or manual states.
inline constexpr std::string_view kAssumption = "assumption";

/// The closed interval of the values that make sense.
template <class T>
struct Limits {
  T min, max;
  bool power_of_two = false;
};

/// The form of a key's values, for programs: the JSON schema of machine files is derived from it.
struct ValueForm {
  enum class Kind : unsigned char { Boolean, Text, Number, Quantity, Choice };
  Kind kind = Kind::Text;
  double min = 0, max = 0;                 ///< of a Number, and of a Quantity without unit
  Dimension dimension = Dimension::Count;  ///< of a Quantity
  std::vector<std::string> choices;        ///< of a Choice
};

/// A key: its meaning, limits, present value, and the origin of that value.
struct Field {
  std::string key;      ///< dotted path, "l1d.size"
  std::string doc;      ///< one line, no full stop
  std::string source;   ///< "paper 003 table 1", "JPS1-V p. 12", "assumption"
  std::string type;     ///< "a size", "true or false", "one of none, perfect", …
  std::string allowed;  ///< "16 B … 1 KiB, a power of two", "none | perfect", …
  std::string default_text;
  ValueForm form;
  Origin origin;                      ///< where the present value was set; default if nowhere
  std::size_t set_at = 0;             ///< number of the setting that set it; 0: none
  bool bad = false;                   ///< a setting was refused: the value is not the one that the user meant
  bool stated = false;                ///< a file states the source next to the value
  bool quoted = false;                ///< prints as a TOML string
  std::string part;                   ///< see Schema::leave_out_defaults(); empty: never left out
  std::function<std::string()> text;  ///< the present value, as written in a file
  /// Sets the value. If it is refused, returns the reason and changes nothing.
  std::function<std::string(const Setting&)> set;
  /// Returns a value within the limits, as written in a file: the least at position 0, the greatest at 1.
  /// Numbers between are spread evenly over their orders of magnitude. For a text it is the present value.
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
  void add(std::string_view key, FlopsPerSecond& value, Limits<FlopsPerSecond>, std::string_view doc,
           std::string_view source);
  void add(std::string_view key, Picoseconds& value, Limits<Picoseconds>, std::string_view doc,
           std::string_view source);
  /// Adds a plain number in the base unit of `dimension` (cycles, bytes, Hz, bytes/s, ps, fJ, uW), which is
  /// written with a unit; a Count is written without.
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

  /// Adds a condition between keys. It is checked if none of `keys` was refused. A breach is reported at the
  /// first of `keys` that was set, with the values of all.
  void rule(std::vector<std::string> keys, std::function<bool()> holds, std::string_view expectation);

  /// Adds a struct's own validate(), whose lines begin with the key concerned. It is called if no setting was
  /// refused; each line is reported at the location where its key was set. A line "KEY, KEY: expected …" gets
  /// the values of its keys, at the location of the one that was set last.
  void validate(std::function<void(Problems&)> check) { checks_.push_back(std::move(check)); }

  /// Applies the settings in order (later ones win) and checks the rules. Collects every problem: "m.toml:7:
  /// l1d.wayz = 2: unknown key; did you mean l1d.ways?". Any key may state the source of its value: latency =
  /// { value = "4 cycles", source = "data sheet" }.
  void apply(const std::vector<Setting>& settings, Problems& problems);

  /// Makes config_json() leave out the keys with this prefix while all of them have their defaults. They are
  /// those of parts that a machine need not have. Call it after the keys were added.
  void leave_out_defaults(std::string_view prefix);
  /// Returns true if the key is left out now.
  bool left_out(const Field& field) const;

  struct Section {
    std::string table, doc;
  };
  const std::vector<Section>& sections() const { return sections_; }
  const std::vector<Field>& fields() const { return fields_; }
  /// Returns the field of a key, or null if there is none.
  const Field* find(std::string_view key) const;
  /// Returns ": unknown key; did you mean …?" for a key that find() does not find.
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
  /// Keys with their values, "a = 1, b = 2", and the field among them that was set last; null without a key.
  struct Named {
    std::string values;
    const Field* last = nullptr;
    bool bad = false;  ///< of a field at least
  };
  Named named(const std::vector<std::string>& keys) const;
  void check_rules(Problems& problems) const;
  void run_checks(Problems& problems) const;

  std::vector<Section> sections_;
  std::vector<Field> fields_;
  std::vector<Rule> rules_;
  std::vector<std::function<void(Problems&)>> checks_;
  std::size_t set_ = 0;  ///< settings applied so far
};

}  // namespace psim
