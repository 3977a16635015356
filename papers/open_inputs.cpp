// SPDX-License-Identifier: Apache-2.0
#include "papers/open_inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "base/parse_number.h"

namespace psim::reproduce {
namespace {

/// Returns a number of the given type. Throws UserError.
template <class Number>
Number parsed(const std::string& key, const std::string& text, Number least, Number most) {
  const auto value = parse_number<Number>(text);
  if (value && *value >= least && *value <= most) return *value;
  throw UserError(fmt::format("reproduce: --set {} = {}: expected a number from {} to {}", key,
                              text.substr(0, 100), least, most));
}

}  // namespace

OpenInputs::OpenInputs(const std::vector<std::string>& settings) {
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0)
      throw UserError(fmt::format("reproduce: --set {}: expected KEY=VALUE", setting.substr(0, 100)));
    inputs_.push_back({setting.substr(0, equals), setting.substr(equals + 1)});
  }
}

const std::string* OpenInputs::take(const std::string& key) {
  const std::string* last = nullptr;
  for (Input& input : inputs_)
    if (input.key == key) input.taken = true, last = &input.value;
  return last;
}

double OpenInputs::number(const std::string& key, double chosen, double least, double most) {
  const std::string* text = take(key);
  return text == nullptr ? chosen : parsed(key, *text, least, most);
}

long OpenInputs::whole(const std::string& key, long chosen, long least, long most) {
  const std::string* text = take(key);
  return text == nullptr ? chosen : parsed(key, *text, least, most);
}

std::string OpenInputs::choice(const std::string& key, const std::string& chosen,
                               const std::vector<std::string>& names) {
  const std::string* text = take(key);
  if (text == nullptr) return chosen;
  if (std::ranges::find(names, *text) != names.end()) return *text;
  throw UserError(fmt::format("reproduce: --set {} = {}: expected one of {}", key, text->substr(0, 100),
                              fmt::join(names, ", ")));
}

std::vector<std::string> OpenInputs::below(const std::string& prefix) {
  std::vector<std::string> settings;
  for (Input& input : inputs_)
    if (input.key.starts_with(prefix)) {
      input.taken = true;
      settings.push_back(input.key.substr(prefix.size()) + "=" + input.value);
    }
  return settings;
}

std::vector<std::string> OpenInputs::of_machine() const {
  std::vector<std::string> settings;
  for (const Input& input : inputs_)
    if (!input.taken) settings.push_back(input.key + "=" + input.value);
  return settings;
}

void check_only(const std::string& experiment, const std::string& only,
                const std::vector<std::string>& parts) {
  if (only.empty() || std::ranges::find(parts, only) != parts.end()) return;
  throw UserError(
      fmt::format("reproduce: --only {}: {} has no such part{}", only.substr(0, 100), experiment,
                  did_you_mean(only, parts, fmt::format("there are {}", fmt::join(parts, ", ")))));
}

}  // namespace psim::reproduce
