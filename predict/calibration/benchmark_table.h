// SPDX-License-Identifier: Apache-2.0
// Reads tables of point-to-point benchmarks as they print them on a cluster: OSU's osu_latency, osu_bw and
// osu_mbw_mr (of one pair), and IMB's PingPong and Uniband. Lines that belong to no table, such as those of a
// batch system, are skipped.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace psim::predict {

enum class BenchmarkKind : std::uint8_t {
  Latency,   ///< half a round trip of one message, in seconds
  Bandwidth  ///< messages in windows in one direction, in bytes per second
};

/// A row of a table. `line` is of the file.
struct BenchmarkRow {
  std::uint64_t bytes;  ///< of a message
  double value;         ///< in the unit of the kind; > 0
  double resolution;    ///< of the printed value: half its last digit
  double messages;      ///< per second, if the table prints it; else 0
  std::uint32_t line;
};

struct BenchmarkTable {
  BenchmarkKind kind;
  std::string name;      ///< "osu_latency", "IMB PingPong"
  std::uint32_t window;  ///< messages before an answer; 1 for latency
  std::vector<BenchmarkRow> rows;
};

struct BenchmarkFile {
  std::vector<BenchmarkTable> tables;  ///< at least one, each with rows
  std::vector<std::string> skipped;    ///< names of tables that do not measure one pair in one direction
};

/// Reads the text of a file. Throws UserError "FILE:LINE: …" for a row that is no row of its table, and for a
/// file without a table.
BenchmarkFile read_benchmarks(std::string_view text, const std::string& file);

}  // namespace psim::predict
