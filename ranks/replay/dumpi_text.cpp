// SPDX-License-Identifier: Apache-2.0
#include "ranks/replay/dumpi_text.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

namespace psim::net::replay {
namespace {

constexpr std::string_view kEntering = " entering at walltime ", kReturning = " returning at walltime ";

/// Removes a number from the beginning of `text`; nothing if there is none.
template <class Number>
std::optional<Number> take_number(std::string_view& text) {
  Number value{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc()) return {};
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

/// Returns the ns of "835.656757762, cputime …".
std::optional<std::uint64_t> nanoseconds(std::string_view text) {
  const auto seconds = take_number<std::uint32_t>(text);
  if (!seconds || !text.starts_with('.')) return {};
  text.remove_prefix(1);
  const auto rest = take_number<std::uint32_t>(text);
  if (!rest || *rest >= 1'000'000'000 || !text.starts_with(", cputime ")) return {};
  return std::uint64_t{*seconds} * 1'000'000'000 + *rest;
}

/// Returns the number after `name` in the text of a status.
std::int64_t member(std::string_view status, std::string_view name) {
  const std::size_t at = status.find(name);
  if (at == status.npos) return -1;
  status.remove_prefix(at + name.size());
  return take_number<std::int64_t>(status).value_or(-1);
}

}  // namespace

const std::string_view* DumpiCall::find(std::string_view name) const {
  for (const auto& [known, value] : arguments_)
    if (known == name) return &value;
  return nullptr;
}

UserError DumpiCall::error(const std::string& what) const {
  return UserError(fmt::format("{}:{}: {}: {}", file_->name, line_, function, what));
}

std::int64_t DumpiCall::number(std::string_view name) const {
  const std::string_view* value = find(name);
  std::string_view text = value == nullptr ? std::string_view() : *value;
  if (text.starts_with('[')) text.remove_prefix(1);  // of a request
  const auto taken = take_number<std::int64_t>(text);
  if (!taken) throw error(fmt::format("expected the argument {} with a number", name));
  return *taken;
}

std::vector<std::int64_t> DumpiCall::numbers(std::string_view name) const {
  const std::string_view* value = find(name);
  if (value == nullptr) throw error(fmt::format("expected the argument {}", name));
  std::vector<std::int64_t> all;
  std::string_view text = *value;
  if (!text.starts_with('[')) return all;  // <IGNORED>
  while (!text.empty() && text.front() != ']') {
    text.remove_prefix(1);  // [ or a comma
    if (text.starts_with(' ')) text.remove_prefix(1);
    const auto taken = take_number<std::int64_t>(text);
    if (!taken) break;
    all.push_back(*taken);
    if (text.starts_with(" ("))
      text.remove_prefix(std::min(text.find(')') + 1, text.size()));  // the name of a datatype
  }
  if (text != "]" && *value != "[]") throw error(fmt::format("{}: expected a list of numbers", name));
  return all;
}

std::vector<DumpiStatus> DumpiCall::statuses() const {
  std::vector<DumpiStatus> all;
  const std::string_view* value = find("status");
  if (value == nullptr) value = find("statuses");
  if (value == nullptr) return all;
  for (std::size_t at = value->find('{'); at != value->npos; at = value->find('{', at + 1)) {
    const std::string_view one = value->substr(at, value->find('}', at) - at);
    all.push_back({member(one, " source="), member(one, " tag="), member(one, " cancelled=") == 1});
  }
  return all;
}

bool DumpiText::take(std::string_view& line) {
  if (left_.empty()) return false;
  const std::size_t length = std::min(left_.find('\n'), left_.size());
  line = left_.substr(0, length);
  left_.remove_prefix(std::min(length + 1, left_.size()));
  ++line_;
  return true;
}

bool DumpiText::next(DumpiCall& call) {
  const auto refuse = [&](const std::string& what) {
    throw UserError(fmt::format("{}:{}: {}", file_.name, line_, what));
  };
  const auto time = [&](std::string_view line, std::size_t at) -> std::uint64_t {
    const auto known = nanoseconds(line.substr(at));
    if (!known) refuse("expected a time like 835.656757762, cputime …");
    return *known;
  };
  std::string_view line;
  std::size_t at = line.npos;
  while (at == line.npos) {  // lines between calls are those of other records
    if (!take(line)) return false;
    at = line.starts_with("MPI") || line.starts_with("PMPI") ? line.find(kEntering) : line.npos;
  }
  call.file_ = &file_;
  call.line_ = line_;
  call.function = line.substr(0, at);
  call.enter = time(line, at + kEntering.size());
  call.arguments_.clear();
  for (;;) {
    if (!take(line)) refuse(fmt::format("the file ends within {}; it is cut off", call.function));
    if (line.starts_with(call.function) && line.substr(call.function.size()).starts_with(kReturning)) break;
    if (line.find(kEntering) != line.npos)
      refuse(fmt::format("expected \"{}{}…\" before another call", call.function, kReturning));
    // "int count=1", "int counts[4]=[1, 2, 3, 4]"; lines without = are further lines of a value.
    const std::size_t equals = line.find('='), space = line.find(' ');
    if (equals == line.npos || space > equals) continue;
    std::string_view name = line.substr(space + 1, equals - space - 1);
    name = name.substr(0, name.find('['));
    call.arguments_.emplace_back(name, line.substr(equals + 1));
  }
  call.leave = time(line, call.function.size() + kReturning.size());
  return true;
}

std::vector<std::uint64_t> DumpiText::datatype_sizes() const {
  constexpr std::string_view kFirst = "\nDatatype 0 (";
  std::vector<std::uint64_t> sizes;
  const std::size_t begin = file_.bytes.rfind(kFirst);
  std::string_view text = begin == file_.bytes.npos ? std::string_view() : file_.bytes.substr(begin + 1);
  while (text.starts_with("Datatype ")) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    constexpr std::string_view kSize = " has size ";
    const std::size_t at = line.rfind(kSize);
    if (at == line.npos) break;
    line.remove_prefix(at + kSize.size());
    sizes.push_back(take_number<std::uint32_t>(line).value_or(0));
  }
  if (sizes.empty())
    throw UserError(fmt::format(
        "{}: the sizes of datatypes are missing; expected the output of \"dumpi2ascii -SX\", to its end",
        file_.name));
  return sizes;
}

}  // namespace psim::net::replay
