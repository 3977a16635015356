// SPDX-License-Identifier: Apache-2.0
#include "ranks/job/compute_record.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "base/error.h"

namespace psim::net {
namespace {

constexpr std::string_view kHead = "psim compute 1", kRanks = "ranks ";
constexpr std::uint64_t kMostRanks = std::uint64_t{1} << 24;
constexpr std::uint64_t kMostNs = 1'000'000'000'000'000;  // 10⁶ s

/// Takes lines and numbers from a text.
class Reader {
 public:
  Reader(std::string_view path, std::string_view text) : path_(path), rest_(text) {}

  bool next_line() {
    if (rest_.empty()) return false;
    const std::size_t end = rest_.find('\n');
    line_ = whole_ = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? "" : rest_.substr(end + 1);
    ++number_;
    if (end == std::string_view::npos) fail("the line has no end: the file is truncated");
    return true;
  }
  std::string_view line() const { return line_; }
  void skip(std::size_t characters) { line_.remove_prefix(characters); }
  std::uint64_t number(std::uint64_t most, const char* what) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(line_.data(), line_.data() + line_.size(), value);
    if (error != std::errc{} || value > most) fail(fmt::format("expected {} from 0 to {}", what, most));
    skip(static_cast<std::size_t>(end - line_.data()));
    return value;
  }
  [[noreturn]] void fail(const std::string& why) const {
    if (number_ == 0) throw UserError(fmt::format("{}: is empty: {}", path_, why));
    throw UserError(fmt::format("{}:{}: {:.40}: {}", path_, number_, whole_, why));
  }

 private:
  std::string_view path_, rest_, line_, whole_;
  std::uint64_t number_ = 0;
};

}  // namespace

ComputeRecord ComputeRecord::parse(const std::string& path, const std::string& text) {
  Reader reader(path, text);
  reader.next_line();
  if (reader.line() != kHead)
    reader.fail("no record of --record-compute; expected the line 'psim compute 1'");
  reader.next_line();
  if (!reader.line().starts_with(kRanks)) reader.fail("expected 'ranks N'");
  reader.skip(kRanks.size());
  ComputeRecord record{.path = path, .times = {}};
  const std::uint64_t ranks = reader.number(kMostRanks, "a number of ranks");
  for (std::uint64_t rank = 0; rank < ranks; ++rank) {
    if (!reader.next_line()) reader.fail(fmt::format("the file ends; expected times of {} ranks", ranks));
    if (reader.number(kMostRanks, "a rank") != rank || !reader.line().starts_with(':'))
      reader.fail(fmt::format("expected '{}:' and its times", rank));
    reader.skip(1);
    std::vector<std::uint64_t>& times = record.times.emplace_back();
    while (!reader.line().empty()) {
      if (!reader.line().starts_with(' ')) reader.fail("expected a space between numbers");
      reader.skip(1);
      times.push_back(reader.number(kMostNs, "nanoseconds"));
    }
  }
  if (reader.next_line()) reader.fail(fmt::format("expected the end after {} ranks", ranks));
  return record;
}

std::string ComputeRecord::text() const {
  std::string text = fmt::format("{}\n{}{}\n", kHead, kRanks, times.size());
  for (std::size_t rank = 0; rank < times.size(); ++rank) {
    text += fmt::format("{}:", rank);
    for (const std::uint64_t time : times[rank]) text += fmt::format(" {}", time);
    text += '\n';
  }
  return text;
}

}  // namespace psim::net
