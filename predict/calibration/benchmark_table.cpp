// SPDX-License-Identifier: Apache-2.0
#include "predict/calibration/benchmark_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <optional>

#include "base/error.h"
#include "base/parse_number.h"
#include "base/printable.h"

namespace psim::predict {
namespace {

constexpr double kMicrosecond = 1e-6;
constexpr double kMegabyte = 1e6;         // of OSU, and of IMB since 2018
constexpr double kOldMegabyte = 1048576;  // of older versions of IMB
constexpr std::uint32_t kWindow = 64;     // default of osu_bw, osu_mbw_mr and Uniband
constexpr double kMostBytes = 1e15;
constexpr std::string_view kBlanks = " \t\r";

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t begin = line.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) return words;
    line.remove_prefix(begin);
    words.push_back(line.substr(0, line.find_first_of(kBlanks)));
    line.remove_prefix(words.back().size());
  }
}

std::optional<double> number(std::string_view word) {
  const auto value = parse_number<double>(word);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

/// Returns half the value of the last digit that is printed.
double resolution_of(std::string_view word) {
  const std::size_t point = word.find('.');
  const std::size_t digits = point == std::string_view::npos ? 0 : word.size() - point - 1;
  return 0.5 * std::pow(10, -static_cast<double>(digits));
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

/// The columns of a table: 0 is the message's size.
struct Columns {
  BenchmarkKind kind;
  std::string name;
  std::size_t count;         ///< the fewest of a row
  std::size_t value;         ///< index of the value
  double unit;               ///< of the value
  std::size_t messages = 0;  ///< index of the message rate; 0: none
  std::size_t time = 0;      ///< index of a time that shows what a megabyte is; 0: none
};

class TableReader {
 public:
  TableReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  BenchmarkFile read() {
    while (!text_.empty()) {
      const std::size_t end = text_.find('\n');
      ++line_;
      read_line(text_.substr(0, end));
      text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
    }
    finish_table();
    if (found_.tables.empty()) {
      std::string why;
      if (!found_.skipped.empty())
        why = fmt::format(" (it holds {}, which do not measure one pair in one direction)",
                          fmt::join(found_.skipped, ", "));
      throw UserError(fmt::format(
          "{}: has no table of osu_latency, osu_bw, osu_mbw_mr, IMB PingPong or IMB Uniband{}", file_, why));
    }
    return std::move(found_);
  }

 private:
  void read_line(std::string_view line) {
    const std::vector<std::string_view> words = words_of(line);
    if (words.empty()) return;
    if (words.front().front() == '#') return read_heading(line);
    if (!columns_ || !number(words.front())) return;  // of the batch system, or of another table
    read_row(words);
  }

  void read_heading(std::string_view line) {
    if (contains(line, "OSU MPI")) return begin_osu(line);
    if (contains(line, "[ pairs:")) return read_pairs(line);
    if (contains(line, "# Benchmarking")) return begin_imb(line);
    if (contains(line, "#bytes") && columns_) read_imb_columns(words_of(line));
  }

  void begin_osu(std::string_view line) {
    finish_table();
    if (contains(line, "Multiple Bandwidth"))
      columns_ = {BenchmarkKind::Bandwidth, "osu_mbw_mr", 3, 1, kMegabyte, 2};
    else if (contains(line, "Bi-Directional") || contains(line, "Multi"))
      skip(line);
    else if (contains(line, "Latency Test"))
      one_sided(line) ? skip(line) : start({BenchmarkKind::Latency, "osu_latency", 2, 1, kMicrosecond});
    else if (contains(line, "Bandwidth Test"))
      one_sided(line) ? skip(line) : start({BenchmarkKind::Bandwidth, "osu_bw", 2, 1, kMegabyte});
    else
      skip(line);
  }

  /// Collectives are "OSU MPI Allreduce Latency Test", one-sided tests "OSU MPI_Put Latency Test".
  static bool one_sided(std::string_view line) {
    const std::string_view after = line.substr(line.find("OSU MPI") + 7);
    const std::vector<std::string_view> words = words_of(after);
    return words.empty() || after.front() == '_' || (words[0] != "Latency" && words[0] != "Bandwidth");
  }

  /// "# [ pairs: 1 ] [ window size: 64 ]"
  void read_pairs(std::string_view line) {
    if (!columns_) return;
    const std::vector<std::string_view> words = words_of(line);
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      if (words[i] == "pairs:" && words[i + 1] != "1") return skip(line);
      const std::optional<double> value = number(words[i + 1]);
      if (words[i] == "size:" && value && *value >= 1 && *value <= 1e6)
        window_ = static_cast<std::uint32_t>(*value);
    }
  }

  void begin_imb(std::string_view line) {
    finish_table();
    const std::vector<std::string_view> words = words_of(line);
    const std::string_view name = words.size() > 2 ? words[2] : "";
    if (name == "PingPong")
      start({BenchmarkKind::Latency, "IMB PingPong", 4, 2, kMicrosecond, 0, 0});
    else if (name == "Uniband")
      start({BenchmarkKind::Bandwidth, "IMB Uniband", 4, 2, kMegabyte, 3, 0});
    else
      skip(line);
  }

  void read_imb_columns(const std::vector<std::string_view>& names) {
    const auto index = [&](std::string_view name) -> std::size_t {
      for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == name) return i;
      return 0;
    };
    const std::size_t value = index(columns_->kind == BenchmarkKind::Latency ? "t[usec]" : "Mbytes/sec");
    if (value == 0)
      throw UserError(fmt::format("{}:{}: the table of {} has no column {}", file_, line_, columns_->name,
                                  columns_->kind == BenchmarkKind::Latency ? "t[usec]" : "Mbytes/sec"));
    columns_->value = value;
    columns_->count = names.size();
    if (columns_->messages != 0) columns_->messages = index("Msg/sec");
    if (columns_->kind == BenchmarkKind::Latency) columns_->time = index("Mbytes/sec");
  }

  void start(Columns columns) { columns_ = std::move(columns); }

  void skip(std::string_view line) {
    std::string name(line.substr(std::min(line.find_first_not_of("# "), line.size())));
    found_.skipped.push_back(printable(name.substr(0, 60)));
    columns_.reset();
  }

  void read_row(const std::vector<std::string_view>& words) {
    const auto wrong = [&](std::string_view what) {
      throw UserError(
          fmt::format("{}:{}: {}: expected {} numbers, size of the message first, as {} prints them", file_,
                      line_, what, columns_->count, columns_->name));
    };
    if (words.size() < columns_->count) wrong(fmt::format("the row has {} columns", words.size()));
    const auto column = [&](std::size_t index) {
      const std::optional<double> value = number(words[index]);
      if (!value || *value < 0)
        wrong(fmt::format("\"{}\"", printable(std::string(words[index].substr(0, 40)))));
      return *value;
    };
    const double bytes = column(0), value = column(columns_->value);
    if (bytes != std::floor(bytes) || bytes > kMostBytes) wrong("the size of the message");
    if (columns_->time != 0 && bytes > 0 && column(columns_->time) > 0)
      megabyte_ = bytes / (value * kMicrosecond) / column(columns_->time);
    const double messages = columns_->messages == 0 ? 0 : column(columns_->messages);
    if (value == 0) return;  // of messages of 0 bytes: a bandwidth; a time below what is printed
    rows_.push_back({static_cast<std::uint64_t>(bytes), value * columns_->unit,
                     resolution_of(words[columns_->value]) * columns_->unit, messages, line_});
  }

  void finish_table() {
    if (columns_ && !rows_.empty()) {
      const bool latency = columns_->kind == BenchmarkKind::Latency;
      found_.tables.push_back({columns_->kind, columns_->name, latency ? 1 : window_, std::move(rows_)});
      // The rows of PingPong in the same file show what this version of IMB calls a megabyte.
      if (columns_->name == "IMB Uniband" && std::abs(megabyte_ / kOldMegabyte - 1) < 0.01)
        for (BenchmarkRow& row : found_.tables.back().rows)
          row.value *= kOldMegabyte / kMegabyte, row.resolution *= kOldMegabyte / kMegabyte;
    }
    rows_.clear();
    columns_.reset();
    window_ = kWindow;
  }

  std::string_view text_;
  const std::string& file_;
  std::uint32_t line_ = 0, window_ = kWindow;
  double megabyte_ = 0;  ///< of this version of IMB, as far as known
  std::optional<Columns> columns_;
  std::vector<BenchmarkRow> rows_;
  BenchmarkFile found_;
};

}  // namespace

BenchmarkFile read_benchmarks(std::string_view text, const std::string& file) {
  return TableReader(text, file).read();
}

}  // namespace psim::predict
