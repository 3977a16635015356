// SPDX-License-Identifier: Apache-2.0
// Output of ranks, in the order of simulated time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/units.h"

namespace psim::net {

enum class Stream : std::uint8_t { Out, Error };

/// Receives the text that a rank wrote since it was last resumed, or a part of it, in its own order.
class Output {
 public:
  virtual ~Output() = default;
  virtual void write(std::uint32_t rank, Stream stream, std::string_view text) = 0;
};

/// One piece of output, for merging the output of several host processes.
struct Printed {
  Picoseconds time{0};
  RankId rank{};
  Stream stream = Stream::Out;
  std::string text;
};

/// Orders pieces by (time, rank, order of writing), which is the same on any number of host processes. A
/// rank's pieces must be added in its order.
class OutputOrder {
 public:
  void add(Picoseconds time, RankId rank, Stream stream, std::string_view text);
  /// Removes and returns all pieces before `time`, in order. To be called at the end of a window, with its
  /// end.
  std::vector<Printed> take_before(Picoseconds time);
  std::vector<Printed> take_all() { return take_before(Picoseconds::max()); }

 private:
  std::vector<Printed> pieces_;
};

}  // namespace psim::net
