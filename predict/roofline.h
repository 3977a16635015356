// SPDX-License-Identifier: Apache-2.0
// Rooflines with communication (paper 004; Williams et al. 2009 for the memory roof). A node reaches at most
//
//   min(peak, memory bandwidth × flops per memory byte, bandwidth between nodes × flops per message byte).
//
// A measured point is bound by the lowest line above it, if it is near that line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace psim::predict {

/// The bytes of messages that count, and the bandwidth that belongs to them.
enum class Counting : std::uint8_t {
  OneWay,  ///< the larger of sent and received; bandwidth of one direction
  Both     ///< sent and received; bandwidth of both directions together (the paper's ridges)
};
std::string_view name(Counting counting);
/// Returns a sentence for people.
std::string_view describe(Counting counting);

/// The bytes that a line limits.
enum class Limit : std::uint8_t { Flops, Memory, Messages };
std::string_view name(Limit limit);

/// A line of the diagram: flop/s, or bytes/s (of messages: one way).
struct RoofLine {
  std::string name;
  Limit limit = Limit::Flops;
  double rate = 0;
  bool measured = false;  ///< an auxiliary line
};

struct Roofline {
  std::string machine;
  Counting counting = Counting::OneWay;
  std::vector<RoofLine> lines;  ///< roofs and auxiliary lines

  /// Returns the rate of a line in this counting: of messages, both directions count twice.
  double rate(const RoofLine& line) const;
  /// Returns the peak: the highest roof of flops; 0: none.
  double peak() const;
  /// Returns the fastest roof of this kind; null: none.
  const RoofLine* fastest(Limit limit) const;
  /// Returns the intensity at which a line of bytes meets the peak, flop/B; 0 without a peak.
  double ridge(const RoofLine& line) const;
};

/// The work of a node and the time that it took.
struct NodeWork {
  double seconds = 0;
  double flops = 0;
  std::optional<double> memory_bytes = {};  ///< nothing: not counted
  std::optional<double> sent_bytes = {}, received_bytes = {};
};

struct RooflinePoint {
  std::string source;  ///< the result's file
  std::string region;  ///< "dgemm(64)", "(whole run)"
  std::string ranks;   ///< "ranks 0, 2, …: 4 of 8"; empty: no ranks
  NodeWork work;       ///< of a node
};

/// The action that a point calls for.
enum class Remedy : std::uint8_t {
  FasterUnits,    ///< the node computes at its peak
  Reuse,          ///< fewer memory bytes per operation
  FewerMessages,  ///< fewer message bytes per operation
  Placement,      ///< a faster class of links exists
  Condition,      ///< an auxiliary line: its condition
  Overlap,        ///< no line is near
  Check           ///< the point is above a roof: machine and run do not belong together
};
std::string_view name(Remedy remedy);

struct Assessment {
  double rate = 0;                                            ///< flop/s
  std::optional<double> memory_intensity, message_intensity;  ///< flop/B; nothing: no bytes, or not counted
  double attainable = 0;                                      ///< flop/s, under the fastest roofs
  const RoofLine* bound = nullptr;                            ///< the lowest line above the point
  double share = 0;                                           ///< rate / value of `bound`
  Remedy remedy = Remedy::Overlap;
  std::string advice;  ///< a sentence
};

/// A point is near a line from this share of it on.
inline constexpr double kNear = 0.7;

/// Returns the bytes of messages that count; nothing: not counted.
std::optional<double> message_bytes(const NodeWork& work, Counting counting);
/// Returns the rate that `line` allows to work of this intensity; nothing if the work has no bytes of its
/// kind.
std::optional<double> value_at(const Roofline& roofline, const RoofLine& line, const Assessment& point);
/// Assesses work with flops > 0 and seconds > 0.
Assessment assess(const Roofline& roofline, const NodeWork& work);

}  // namespace psim::predict
