// SPDX-License-Identifier: Apache-2.0
#include "base/config/schema.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "base/parse_number.h"

namespace psim {
namespace {

std::string quoted(const Setting& setting) {
  return setting.kind == Setting::Kind::String ? fmt::format("\"{}\"", setting.value) : setting.value;
}

// Returns the location of the setting, for the start of a message.
std::string where(const Setting& setting) {
  return fmt::format("{}: {}", setting.origin.text(), setting.key);
}

// Returns the number at `position`, 0 to 1, of a logarithmic scale from min to max.
std::uint64_t at_position(double position, std::uint64_t min, std::uint64_t max, bool power_of_two) {
  const double low = std::log2(static_cast<double>(min) + 1), high = std::log2(static_cast<double>(max) + 1);
  const double value = std::exp2(low + position * (high - low)) - 1;
  std::uint64_t number = max;
  if (position <= 0 || value < static_cast<double>(min))
    number = min;
  else if (position < 1 && value < static_cast<double>(max))
    number = static_cast<std::uint64_t>(value);
  if (power_of_two && !std::has_single_bit(number)) {
    number = number == 0 ? 1 : std::bit_floor(number);
    if (number < min) number = std::bit_ceil(min);
  }
  return number;
}

// Returns the index at `position`, 0 to 1, of `count` indices.
std::size_t index_at(double position, std::size_t count) {
  return std::min(count - 1, static_cast<std::size_t>(std::max(position, 0.0) * static_cast<double>(count)));
}

}  // namespace

void Schema::section(std::string_view table, std::string_view doc) {
  sections_.push_back({std::string(table), std::string(doc)});
}

void Schema::add_field(Field field, std::string_view key, std::string_view doc, std::string_view source) {
  if (find(key) != nullptr) throw std::logic_error(fmt::format("key {} is described twice", key));
  field.key = key, field.doc = doc, field.source = source;
  field.default_text = field.text();
  fields_.push_back(std::move(field));
}

void Schema::leave_out_defaults(std::string_view prefix) {
  for (Field& field : fields_)
    if (field.key.starts_with(prefix)) field.part = prefix;
}

bool Schema::left_out(const Field& field) const {
  return !field.part.empty() && std::all_of(fields_.begin(), fields_.end(), [&](const Field& other) {
    return other.part != field.part || other.text() == other.default_text;
  });
}

void Schema::add(std::string_view key, bool& value, std::string_view doc, std::string_view source) {
  Field field;
  field.type = "true or false";
  field.form.kind = ValueForm::Kind::Boolean;
  field.allowed = "true | false";
  field.text = [&value] { return value ? "true" : "false"; };
  field.set = [&value](const Setting& setting) -> std::string {
    if (setting.value != "true" && setting.value != "false") return "expected true or false";
    value = setting.value == "true";
    return {};
  };
  field.example = [](double position) { return position < 0.5 ? "false" : "true"; };
  add_field(std::move(field), key, doc, source);
}

void Schema::add(std::string_view key, std::string& value, std::string_view doc, std::string_view source) {
  Field field;
  field.type = "text";
  field.allowed = "any text";
  field.quoted = true;
  field.text = [&value] { return value; };
  field.set = [&value](const Setting& setting) -> std::string {
    if (setting.kind != Setting::Kind::String) return "expected text in quotes";
    value = setting.value;
    return {};
  };
  field.example = [&value](double) { return value; };
  add_field(std::move(field), key, doc, source);
}

void Schema::add(std::string_view key, double& value, Limits<double> limits, std::string_view doc,
                 std::string_view source) {
  Field field;
  field.type = "a number";
  field.form = {.kind = ValueForm::Kind::Number, .min = limits.min, .max = limits.max, .choices = {}};
  field.allowed = fmt::format("{} … {}", limits.min, limits.max);
  field.text = [&value] { return fmt::format("{}", value); };
  field.set = [&value, limits, allowed = field.allowed](const Setting& setting) -> std::string {
    const auto number = parse_number<double>(setting.value);
    if (!number || !std::isfinite(*number)) return "expected a number";
    if (number < limits.min || number > limits.max) return fmt::format("expected {}", allowed);
    value = *number;
    return {};
  };
  field.example = [limits](double position) {
    return fmt::format("{}",
                       std::clamp(limits.min + position * (limits.max - limits.min), limits.min, limits.max));
  };
  add_field(std::move(field), key, doc, source);
}

template <class Member, class Get, class Put>
void Schema::add_quantity(std::string_view key, Dimension dimension, Limits<Member> limits, Get get, Put put,
                          std::string_view doc, std::string_view source) {
  Field field;
  const std::uint64_t min = get(limits.min), max = get(limits.max);
  const bool power = limits.power_of_two;
  field.type = name(dimension);
  field.form = {.kind = ValueForm::Kind::Quantity,
                .min = static_cast<double>(min),
                .max = static_cast<double>(max),
                .dimension = dimension,
                .choices = {}};
  field.allowed = fmt::format("{} … {}{}", format_quantity(min, dimension), format_quantity(max, dimension),
                              power ? ", a power of two" : "");
  field.quoted = dimension != Dimension::Count;
  field.text = [put, get, dimension] { return format_quantity(get(*put.member), dimension); };
  field.set = [put, min, max, power, dimension,
               allowed = field.allowed](const Setting& setting) -> std::string {
    const ParsedQuantity parsed = parse_quantity(setting.value, dimension);
    if (!parsed.value)
      return fmt::format("{}; expected {} ({}), like {}", parsed.problem, name(dimension), allowed,
                         dimension == Dimension::Count ? std::string(example(dimension))
                                                       : fmt::format("\"{}\"", example(dimension)));
    if (*parsed.value < min || *parsed.value > max || (power && !std::has_single_bit(*parsed.value)))
      return fmt::format("expected {}", allowed);
    put(*parsed.value);
    return {};
  };
  field.example = [min, max, power, dimension](double position) {
    return format_quantity(at_position(position, min, max, power), dimension);
  };
  add_field(std::move(field), key, doc, source);
}

namespace {

// Converts a member of each type from and to its base unit.
template <class Member>
struct Access {
  Member* member;
  void operator()(std::uint64_t value) const { *member = Member{value}; }
  static std::uint64_t get(const Member& value) { return value.count; }
};
template <class Number>
requires std::is_arithmetic_v<Number>
struct Access<Number> {
  Number* member;
  void operator()(std::uint64_t value) const { *member = static_cast<Number>(value); }
  static std::uint64_t get(const Number& value) { return static_cast<std::uint64_t>(value); }
};
template <>
struct Access<Picoseconds> {
  Picoseconds* member;
  void operator()(std::uint64_t value) const { *member = Picoseconds{static_cast<std::int64_t>(value)}; }
  static std::uint64_t get(const Picoseconds& value) { return static_cast<std::uint64_t>(value.count()); }
};

}  // namespace

#define PSIM_QUANTITY(Type, dimension)                                                           \
  void Schema::add(std::string_view key, Type& value, Limits<Type> limits, std::string_view doc, \
                   std::string_view source) {                                                    \
    add_quantity(key, dimension, limits, &Access<Type>::get, Access<Type>{&value}, doc, source); \
  }
PSIM_QUANTITY(std::uint32_t, Dimension::Count)
PSIM_QUANTITY(std::uint64_t, Dimension::Count)
PSIM_QUANTITY(Cycles, Dimension::Cycles)
PSIM_QUANTITY(Bytes, Dimension::Size)
PSIM_QUANTITY(Hertz, Dimension::Frequency)
PSIM_QUANTITY(BytesPerSecond, Dimension::Bandwidth)
PSIM_QUANTITY(FlopsPerSecond, Dimension::FlopRate)
PSIM_QUANTITY(Picoseconds, Dimension::Time)
#undef PSIM_QUANTITY
#define PSIM_PLAIN_QUANTITY(Type)                                                                \
  void Schema::add(std::string_view key, Type& value, Dimension dimension, Limits<Type> limits,  \
                   std::string_view doc, std::string_view source) {                              \
    add_quantity(key, dimension, limits, &Access<Type>::get, Access<Type>{&value}, doc, source); \
  }
PSIM_PLAIN_QUANTITY(std::uint32_t)
PSIM_PLAIN_QUANTITY(std::uint64_t)
PSIM_PLAIN_QUANTITY(double)
#undef PSIM_PLAIN_QUANTITY

void Schema::add_choice(std::string_view key, std::vector<std::string> names,
                        std::function<std::size_t()> get, std::function<void(std::size_t)> put,
                        std::string_view doc, std::string_view source) {
  Field field;
  field.type = "a choice";
  field.form = {.kind = ValueForm::Kind::Choice, .choices = names};
  field.allowed = fmt::format("{}", fmt::join(names, " | "));
  field.quoted = true;
  field.text = [names, get] { return names[get()]; };
  field.set = [names, put](const Setting& setting) -> std::string {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] == setting.value) return put(i), std::string();
    const std::string near = nearest(setting.value, names);
    return fmt::format("expected one of {}{}", fmt::join(names, ", "),
                       near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near));
  };
  field.example = [names](double position) { return names[index_at(position, names.size())]; };
  add_field(std::move(field), key, doc, source);
}

void Schema::rule(std::vector<std::string> keys, std::function<bool()> holds, std::string_view expectation) {
  for (const std::string& key : keys)
    if (find(key) == nullptr) throw std::logic_error(fmt::format("rule names {}, which is no key", key));
  rules_.push_back({std::move(keys), std::move(holds), std::string(expectation)});
}

const Field* Schema::find(std::string_view key) const {
  for (const Field& field : fields_)
    if (field.key == key) return &field;
  return nullptr;
}

std::string Schema::unknown(std::string_view key) const {
  std::vector<std::string> known;
  for (const Field& field : fields_) known.push_back(field.key);
  return "unknown key" + did_you_mean(key, known, "`psim config explain` lists all");
}

/// Returns the field that a setting is for: by its key, or as "key.value" or "key.source". Null if there is
/// none.
Field* Schema::target_of(const Setting& setting, bool& source) {
  const std::string_view key = setting.key;
  source = false;
  if (const Field* field = find(key)) return const_cast<Field*>(field);
  source = key.ends_with(".source");
  if (!source && !key.ends_with(".value")) return nullptr;
  return const_cast<Field*>(find(key.substr(0, key.rfind('.'))));
}

void Schema::apply(const std::vector<Setting>& settings, Problems& problems) {
  for (const Setting& setting : settings) {
    ++set_;
    bool source = false;
    Field* field = target_of(setting, source);
    if (field == nullptr) {
      problems.add(fmt::format("{} = {}", where(setting), quoted(setting)), unknown(setting.key));
      continue;
    }
    if (source) {
      if (setting.kind == Setting::Kind::String && !setting.value.empty())
        field->source = setting.value, field->stated = true;
      else
        problems.add(fmt::format("{} = {}", where(setting), quoted(setting)), "expected text in quotes");
      continue;
    }
    std::string problem =
        setting.kind == Setting::Kind::Other
            ? fmt::format("expected {} ({}), not {}", field->type, field->allowed, setting.kind_name)
            : field->set(setting);
    field->origin = setting.origin, field->set_at = set_;
    field->bad = !problem.empty();
    if (field->bad) problems.add(fmt::format("{} = {}", where(setting), quoted(setting)), problem);
  }
  check_rules(problems);
  run_checks(problems);
}

Schema::Named Schema::named(const std::vector<std::string>& keys) const {
  Named all;
  for (const std::string& key : keys) {
    const Field* const field = find(key);
    if (field == nullptr) continue;
    all.values += fmt::format("{}{} = {}", all.values.empty() ? "" : ", ", key, field->text());
    all.bad |= field->bad;
    if (all.last == nullptr || field->set_at > all.last->set_at) all.last = field;
  }
  return all;
}

void Schema::run_checks(Problems& problems) const {
  for (const Field& field : fields_)
    if (field.bad) return;
  Problems found;
  for (const std::function<void(Problems&)>& check : checks_) check(found);
  for (const std::string& line : found.lines()) {
    const std::size_t colon = line.find(": ");
    std::vector<std::string> keys;
    for (std::size_t begin = 0, end = 0; end < std::min(colon, line.size()); begin = end + 2) {
      end = std::min(line.find(", ", begin), colon);
      keys.push_back(line.substr(begin, end - begin));
    }
    const Named at = named(keys);
    const bool shows_values = at.last != nullptr && line.find(": expected ") == colon;
    problems.add(at.last == nullptr ? "" : at.last->origin.text(),
                 shows_values ? at.values + line.substr(colon) : line);
  }
}

void Schema::check_rules(Problems& problems) const {
  for (const Rule& rule : rules_) {
    const Named at = named(rule.keys);
    if (at.bad || rule.holds()) continue;
    problems.add(at.last->set_at == 0 ? "default" : at.last->origin.text(),
                 fmt::format("{}: {}", at.values, rule.expectation));
  }
}

}  // namespace psim
