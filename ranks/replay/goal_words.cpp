// SPDX-License-Identifier: Apache-2.0
#include "ranks/replay/goal_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/printable.h"

namespace psim::net::replay {
namespace {

constexpr std::size_t kShownLength = 40;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_sign(char c) { return c == '{' || c == '}' || c == ':'; }

}  // namespace

void GoalWords::skip_space() {
  while (at_ < text_.size()) {
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("/*")) {
      const std::size_t end = rest.find("*/", 2);
      if (end == std::string_view::npos) throw error(line_, "unterminated comment");
      line_ +=
          static_cast<std::uint32_t>(std::count(rest.begin(), rest.begin() + static_cast<long>(end), '\n'));
      at_ += end + 2;
    } else if (rest.starts_with("//") || rest[0] == '#') {
      at_ = std::min(text_.size(), text_.find('\n', at_));
    } else if (is_space(rest[0])) {
      line_ += rest[0] == '\n';
      ++at_;
    } else {
      return;
    }
  }
}

void GoalWords::next() {
  skip_space();
  std::size_t end = at_;
  if (end < text_.size() && is_sign(text_[end]))
    ++end;
  else
    while (end < text_.size() && !is_space(text_[end]) && !is_sign(text_[end])) ++end;
  word_ = {std::string(text_.substr(at_, end - at_)), line_};
  at_ = end;
}

GoalWords::Word GoalWords::take() {
  Word taken = std::move(word_);
  next();
  return taken;
}

bool GoalWords::skip(std::string_view text) {
  if (!is(text)) return false;
  next();
  return true;
}

void GoalWords::expect(std::string_view text) {
  if (!skip(text)) throw expected(text);
}

GoalWords::Word GoalWords::take_name(std::string_view what) {
  if (at_end() || is_sign(word_.text[0])) throw expected(what);
  return take();
}

std::uint64_t GoalWords::number(std::string_view what, std::uint64_t most, std::string_view unit) {
  const std::string& text = word_.text;
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, value);
  const std::string_view after(rest, static_cast<std::size_t>(end - rest));
  if (problem != std::errc{} || !(after.empty() || after == unit)) throw expected(what);
  if (value > most) throw error(word_.line, fmt::format("{}: expected {}, at most {}", text, what, most));
  next();
  return value;
}

UserError GoalWords::error(std::uint32_t line, const std::string& what) const {
  return UserError(fmt::format("{}:{}: {}", name_, line, what));
}

UserError GoalWords::expected_instead(const Word& word, std::string_view what) const {
  if (word.text.empty()) return error(word.line, fmt::format("expected {}, found the end of the file", what));
  const std::string shown = one_column_each(word.text.substr(0, kShownLength));
  return error(word.line, fmt::format("expected {}, found {}", what, shown));
}

}  // namespace psim::net::replay
