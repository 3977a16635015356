// SPDX-License-Identifier: Apache-2.0
#include "cosim/message_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/parse_number.h"
#include "base/units.h"
#include "cosim/message_header.h"

namespace psim::cosim {

bool MessageChoice::takes(std::uint32_t rank, std::uint64_t descriptor_number, const queue::Descriptor& d,
                          std::uint64_t rang) const {
  if (!from.holds(rank) || !to.holds(d.peer) || !number.holds(descriptor_number) || !time.holds(rang))
    return false;
  const MessageHeader header =
      has_header(d.opcode, d.flags) ? header_of(d.header) : MessageHeader{.bytes = d.bytes};
  if (tag && (!has_header(d.opcode, d.flags) || header.tag != *tag)) return false;
  return bytes.holds(header.bytes) || bytes.holds(d.bytes);
}

namespace {

const std::vector<std::string> kChoiceKeys{"from", "to", "number", "tag", "bytes", "time", "first"};

/// A reader of one KEY=VALUE of the option.
class ChoiceReader {
 public:
  ChoiceReader(const std::string& option, const std::string& text, std::uint32_t ranks)
      : where_(option + " " + text), ranks_(ranks) {}

  MessageChoice read(std::string_view text) const {
    MessageChoice choice;
    if (text.find('=') == text.npos) return named(text);
    for (std::string_view rest = text;;) {
      const std::size_t comma = rest.find(',');
      read(rest.substr(0, comma), choice);
      if (comma == rest.npos) return choice;
      rest.remove_prefix(comma + 1);
    }
  }

 private:
  [[noreturn]] void refuse(std::string_view problem) const {
    throw UserError(fmt::format("{}: {}", where_, problem));
  }

  std::uint64_t number(std::string_view key, std::string_view word) const {
    const auto value = parse_number<std::uint64_t>(word);
    if (!value) refuse(fmt::format("{} = {}; expected a number", key, word));
    return *value;
  }

  std::uint64_t value(std::string_view key, std::string_view word) const {
    const bool plain = word.find_first_not_of("0123456789") == word.npos;
    if (key != "time" && (key != "bytes" || plain)) return number(key, word);
    const Dimension dimension = key == "bytes" ? Dimension::Size : Dimension::Time;
    const ParsedQuantity read = parse_quantity(word, dimension);
    if (!read.value)
      refuse(fmt::format("{} = {}: {}; expected {}", key, word, read.problem, example(dimension)));
    return *read.value;
  }

  /// Reads "A:B", "A:", ":B" or "A".
  MessageChoice::Range range(std::string_view key, std::string_view words) const {
    MessageChoice::Range result;
    const std::size_t colon = words.find(':');
    const std::string_view first = words.substr(0, colon), last = words.substr(std::min(colon, words.size()));
    if (colon == words.npos) {
      result.first = result.last = value(key, words);
    } else {
      if (!first.empty()) result.first = value(key, first);
      if (last.size() > 1) result.last = value(key, last.substr(1));
    }
    if (result.last < result.first) refuse(fmt::format("{} = {}: it ends before it begins", key, words));
    return result;
  }

  MessageChoice::Range rank_range(std::string_view key, std::string_view words) const {
    const MessageChoice::Range result = range(key, words);
    if (result.first >= ranks_)
      refuse(fmt::format("{} = {}; expected ranks 0 to {}", key, words, ranks_ - 1));
    return result;
  }

  MessageChoice named(std::string_view text) const {
    const std::size_t dot = text.find('.');
    if (dot == text.npos)
      refuse(
          "expected RANK.NUMBER, such as 0.17, or KEY=VALUE with commas; the keys are from, to, number, tag, "
          "bytes, time and first");
    return {.from = rank_range("from", text.substr(0, dot)), .number = range("number", text.substr(dot + 1))};
  }

  void read(std::string_view item, MessageChoice& choice) const {
    const std::size_t equals = item.find('=');
    const std::string_view key = item.substr(0, equals);
    if (equals == item.npos || std::ranges::find(kChoiceKeys, key) == kChoiceKeys.end())
      refuse(fmt::format(
          "\"{}\" is not a key{}", key,
          did_you_mean(key, kChoiceKeys, "expected from, to, number, tag, bytes, time or first")));
    const std::string_view words = item.substr(equals + 1);
    if (key == "from") choice.from = rank_range(key, words);
    if (key == "to") choice.to = rank_range(key, words);
    if (key == "number") choice.number = range(key, words);
    if (key == "bytes") choice.bytes = range(key, words);
    if (key == "time") choice.time = range(key, words);
    if (key == "tag") {
      const bool negative = words.starts_with('-');
      const auto size = static_cast<std::int64_t>(number(key, words.substr(negative ? 1 : 0)));
      choice.tag = static_cast<std::int32_t>(negative ? -size : size);
    }
    if (key == "first") {
      choice.most = number(key, words);
      if (choice.most == 0) refuse("first = 0; expected at least 1");
    }
  }

  const std::string where_;
  const std::uint32_t ranks_;
};

}  // namespace

MessageChoice parse_message_choice(const std::string& option, const std::string& text, std::uint32_t ranks) {
  return ChoiceReader(option, text, ranks).read(text);
}

}  // namespace psim::cosim
