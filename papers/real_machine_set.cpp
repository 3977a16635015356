// SPDX-License-Identifier: Apache-2.0
#include "papers/real_machine_set.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <stdexcept>

#include "base/error.h"
#include "base/executable_path.h"
#include "base/parse_number.h"
#include "base/read_file.h"

namespace psim::reproduce {
namespace {

namespace fs = std::filesystem;

constexpr double kWindow = 64;          // messages of a window, as OSU has
constexpr std::uint32_t kMany = 1'024;  // ranks from which a collective runs once
constexpr std::uint64_t kMostMeasured = 16 << 20;
constexpr std::size_t kJudged = 7, kSource = 8, kColumns = 9;  // of measured.csv

/// How a source measures collectives: docs/records/real-machines.md, "a time is".
struct Timing {
  std::string_view set;
  const char* way = "barrier";       ///< of workloads/mgen/mpi_benchmark.c
  unsigned repeats = 2;              ///< below kMany ranks
  bool slowest = false;              ///< the time of the slowest rank; else the mean of all
  bool bytes_of_all_blocks = false;  ///< bytes are those of all blocks of a rank
};

constexpr Timing kTimings[] = {
    {.set = "fugaku-mpi", .way = "loop", .repeats = 5, .slowest = true},
    {.set = "fugaku-pico", .way = "barriers", .repeats = 1, .slowest = true, .bytes_of_all_blocks = true},
    {.set = "alps-slingshot", .slowest = true},
    {.set = "daint-aries", .slowest = true},
    {.set = "deep-est", .slowest = true}};

const Timing& timing_of(const RealMachineSet& set) {
  static constexpr Timing kOsu;
  const auto* const found = std::ranges::find(kTimings, set.name, &Timing::set);
  return found == std::end(kTimings) ? kOsu : *found;
}

bool has_blocks(std::string_view benchmark) {
  constexpr std::string_view kBlocks[] = {"alltoall", "allgather", "gather", "scatter"};
  return std::ranges::find(kBlocks, benchmark) != std::end(kBlocks);
}

constexpr std::string_view kBenchmarks[] = {"bcast",
                                            "reduce",
                                            "allreduce",
                                            "gather",
                                            "gatherv",
                                            "scatter",
                                            "allgather",
                                            "alltoall",
                                            "pipelined-ring",
                                            "dissemination",
                                            "pairs-latency",
                                            "far-latency",
                                            "pairs-bandwidth",
                                            "pair-latency",
                                            "pair-bandwidth",
                                            "two-way-bandwidth",
                                            "hpl"};

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t comma; (comma = line.find(',')) != std::string_view::npos; line.remove_prefix(comma + 1))
    fields.push_back(line.substr(0, comma));
  fields.push_back(line);
  return fields;
}

template <typename T>
T number_in(std::string_view field, std::string_view column, const std::string& where) {
  const auto value = parse_number<T>(field);
  if (!value) throw UserError(fmt::format("{}: {} = \"{}\": expected a number", where, column, field));
  return *value;
}

MeasuredBenchmark row_of(const std::vector<std::string_view>& fields, const std::string& where) {
  MeasuredBenchmark row;
  row.benchmark = fields[0];
  row.algorithm = fields[1];
  if (std::ranges::find(kBenchmarks, row.benchmark) == std::end(kBenchmarks))
    throw UserError(fmt::format("{}: benchmark = \"{}\": unknown; there are {}", where, row.benchmark,
                                fmt::join(kBenchmarks, ", ")));
  row.nodes = number_in<std::uint32_t>(fields[2], "nodes", where);
  row.ranks = number_in<std::uint32_t>(fields[3], "ranks", where);
  if (!fields[4].empty()) row.bytes = number_in<std::uint64_t>(fields[4], "bytes", where);
  row.unit = std::string(fields[5]);
  row.measured = number_in<double>(fields[6], "measured", where);
  row.source = fmt::format("{}", fmt::join(fields.begin() + kSource, fields.end(), ","));
  std::ranges::replace(row.source, ';', ',');  // a comma would end the column
  if (row.nodes == 0 || row.ranks < 2 || row.ranks % row.nodes != 0)
    throw UserError(
        fmt::format("{}: ranks = {} on nodes = {}: expected at least 2, the same number on each node", where,
                    row.ranks, row.nodes));
  if (row.bytes > (1U << 30))
    throw UserError(fmt::format("{}: bytes = {}: expected at most 1 GiB", where, row.bytes));
  if (!(row.measured > 0))
    throw UserError(fmt::format("{}: measured = {}: expected more than 0", where, row.measured));
  row.key();  // the unit
  return row;
}

/// Returns the tolerance by the rule of docs/records/real-machines.md.
double tolerance_of(const std::string& benchmark) {
  return kGoals[benchmark.ends_with("bandwidth") || benchmark == "pair-latency" ? 0 : 1];
}

/// Returns the row as a value: where the result of the run has it, and its place in the figure of its
/// benchmark.
PublishedValue value_of(const MeasuredBenchmark& row) {
  const std::string bytes = std::to_string(row.bytes);
  const bool has_bytes = row.benchmark != "hpl", has_algorithm = !row.algorithm.empty();
  std::string title = row.benchmark;
  std::ranges::replace(title, '-', ' ');
  std::string find = fmt::format("runs[benchmark={}]", row.benchmark);
  if (has_algorithm) find += fmt::format("[algorithm={}]", row.algorithm);
  find += fmt::format("[nodes={}][ranks={}]", row.nodes, row.ranks);
  if (has_bytes) find += fmt::format("[bytes={}]", row.bytes);
  const std::uint32_t ranks = row.ranks / row.nodes;
  PublishedValue value;
  value.name = fmt::format("{}{}-{}x{}{}", row.benchmark, has_algorithm ? "-" + row.algorithm : "", row.nodes,
                           ranks, has_bytes ? "-" + bytes : "");
  value.series = fmt::format("{}{} nodes x {}", has_algorithm ? row.algorithm + ", " : "", row.nodes, ranks);
  value.text =
      fmt::format("{}, {} ranks{}", title, value.series, has_bytes ? fmt::format(", {} bytes", bytes) : "");
  value.paper = row.measured;
  value.unit = row.unit;
  value.tolerance = tolerance_of(row.benchmark);
  value.source = row.source;
  value.find = ResultPath(fmt::format("{}.{}", find, row.key()));
  value.figure = row.benchmark;
  value.x = bytes;
  return value;
}

/// Adds a value for each row, and a figure for each benchmark of several rows.
void publish(const std::vector<MeasuredBenchmark>& rows, Published& published) {
  for (const MeasuredBenchmark& row : rows) {
    PublishedValue& value = published.values.emplace_back(value_of(row));
    if (std::ranges::count(rows, row.benchmark, &MeasuredBenchmark::benchmark) < 2)
      value.figure = value.series = value.x = "";
    else if (std::ranges::find(published.figures, row.benchmark, &PublishedFigure::name) ==
             published.figures.end())
      published.figures.push_back({.name = row.benchmark,
                                   .title = row.benchmark,
                                   .x_name = "bytes",
                                   .y_name = row.unit,
                                   .source = "",
                                   .log_x = true,
                                   .log_y = true});
  }
}

/// Returns the numbers before " us" on the lines of the output.
std::vector<double> microseconds_of(const std::string& output) {
  std::vector<double> numbers;
  for (std::size_t begin = 0, end; (end = output.find(" us\n", begin)) != std::string::npos;
       begin = end + 4) {
    const auto value = parse_number<double>(std::string_view(output).substr(begin, end - begin));
    if (!value)
      throw std::runtime_error(
          fmt::format("no time in \"{}\"", output.substr(begin, std::min<std::size_t>(end - begin, 80))));
    numbers.push_back(*value);
  }
  if (numbers.empty()) throw std::runtime_error("the benchmark printed no time");
  return numbers;
}

double mean_of(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

double median_of(std::vector<double> numbers) {
  std::ranges::sort(numbers);
  const std::size_t half = numbers.size() / 2;
  return numbers.size() % 2 == 1 ? numbers[half] : (numbers[half - 1] + numbers[half]) / 2;
}

std::string text_of_file(const std::string& path) {
  const FileBytes file = read_file(path, kMostMeasured);
  if (!file.problem.empty()) throw UserError(fmt::format("{}: cannot be read: {}", path, file.problem));
  return file.bytes;
}

}  // namespace

const char* MeasuredBenchmark::key() const {
  if (unit == "us") return "us";
  if (unit == "MB/s") return "mb_per_second";
  if (unit == "Gflop/s") return "gflops";
  throw UserError(
      fmt::format("measured.csv: {}: unit = \"{}\": expected us, MB/s or Gflop/s", benchmark, unit));
}

double MeasuredBenchmark::work() const {
  const double each = static_cast<double>(ranks) * (1e4 + static_cast<double>(bytes));
  if (benchmark == "hpl") return 1e18;
  if (benchmark == "alltoall") return each * ranks;
  if (benchmark == "allgather") return each * nodes;
  return benchmark.ends_with("bandwidth") ? each * 1'000 : each;
}

std::vector<std::string> real_machine_names() {
  std::vector<std::string> names;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(share_path("real-machines"), error))
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

std::vector<MeasuredBenchmark> parse_measured(std::string_view text, const std::string& path) {
  constexpr std::string_view kHead = "benchmark,algorithm,nodes,ranks,bytes,unit,measured,judged,source";
  std::vector<MeasuredBenchmark> judged;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string where = fmt::format("{}:{}", path, ++number);
    if (number == 1) {
      if (line != kHead) throw UserError(fmt::format("{}: expected the columns {}", where, kHead));
      continue;
    }
    const std::vector<std::string_view> fields = fields_of(line);
    if (fields.size() < kColumns)
      throw UserError(fmt::format("{}: has {} columns; expected {}", where, fields.size(), kColumns));
    if (fields[kJudged] == "yes")
      judged.push_back(row_of(fields, where));
    else if (fields[kJudged] != "no")
      throw UserError(fmt::format("{}: judged = \"{}\": expected yes or no", where, fields[kJudged]));
  }
  return judged;
}

RealMachineSet load_real_machine(const std::string& name) {
  RealMachineSet set;
  set.name = name;
  if (name.find('/') != std::string::npos) {
    set.folder = name;
    while (set.folder.size() > 1 && set.folder.back() == '/') set.folder.pop_back();
    set.name = fs::path(set.folder).filename().string();
  } else {
    const std::vector<std::string> names = real_machine_names();
    if (std::ranges::find(names, name) == names.end())
      throw UserError(fmt::format(
          "reproduce: real-machine: unknown set {}{}", name.substr(0, 200),
          did_you_mean(name, names,
                       fmt::format("there are {}, or a folder (with a /)", fmt::join(names, ", ")))));
    set.folder = (share_path("real-machines") / name).string();
  }
  const std::string data = set.file("data.toml");
  set.published = parse_published(text_of_file(data), data);
  set.published.name = set.name;
  std::error_code ignored;
  set.has_network = fs::exists(set.file("machine.toml"), ignored);
  if (set.has_network)
    set.judged = parse_measured(text_of_file(set.file("measured.csv")), set.file("measured.csv"));
  if (set.published.values.empty()) publish(set.judged, set.published);
  return set;
}

NetworkRun run_of(const RealMachineSet& set, const MeasuredBenchmark& row, const std::string& machine,
                  std::uint32_t all_nodes) {
  const Timing& timing = timing_of(set);
  const bool blocks = timing.bytes_of_all_blocks && has_blocks(row.benchmark);
  NetworkRun run{"mpi_benchmark",
                 {row.benchmark, std::to_string(blocks ? row.bytes / row.ranks : row.bytes), timing.way,
                  std::to_string(row.ranks < kMany ? timing.repeats : std::min(timing.repeats, 5U))},
                 row.benchmark == "far-latency" ? all_nodes : row.ranks,
                 machine,
                 {}};
  if (row.ranks >= kMany && std::string_view(timing.way) != "loop") run.arguments.back() = "1";
  if (row.ranks != row.nodes) run.settings.push_back(fmt::format("node.ranks={}", row.ranks / row.nodes));
  if (!row.algorithm.empty())
    run.settings.push_back(fmt::format("mpi.algorithms={}={}", row.benchmark, row.algorithm));
  return run;
}

double number_of(const RealMachineSet& set, const MeasuredBenchmark& row, const std::string& output) {
  const std::vector<double> times = microseconds_of(output);
  const auto bytes = static_cast<double>(row.bytes);
  // Bytes per microsecond are megabytes per second.
  if (row.benchmark == "pairs-bandwidth")
    return static_cast<double>(times.size()) * kWindow * bytes / mean_of(times);
  if (row.benchmark == "two-way-bandwidth") return 2 * kWindow * bytes / mean_of(times);
  if (row.benchmark == "pair-bandwidth") return bytes / median_of(times);
  if (row.benchmark == "pair-latency") return median_of(times);
  return timing_of(set).slowest ? std::ranges::max(times) : mean_of(times);
}

}  // namespace psim::reproduce
