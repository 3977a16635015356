// SPDX-License-Identifier: Apache-2.0
// What ranks print, in the order of simulated time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/units.h"

namespace psim::net {

enum class Stream : std::uint8_t { Out, Error };

/// Takes what a rank wrote since it was last resumed, or a part of it, in its own order.
class Output {
 public:
  virtual ~Output() = default;
  virtual void write(std::uint32_t rank, Stream stream, std::string_view text) = 0;
};

/// One piece of output, for putting the output of several host processes into one order.
struct Printed {
  Picoseconds time{0};
  RankId rank{};
  Stream stream = Stream::Out;
  std::string text;
};

/// Orders pieces by (time, rank, the order in which the rank wrote them), which is the same on any number of
/// host processes. Appends of one rank must come in its order.
class OutputOrder {
 public:
  void add(Picoseconds time, RankId rank, Stream stream, std::string_view text);
  /// Takes out everything before `time`, in order: call at the end of a window, with its end.
  std::vector<Printed> take_before(Picoseconds time);
  std::vector<Printed> take_all() { return take_before(Picoseconds::max()); }

 private:
  std::vector<Printed> pieces_;
};

}  // namespace psim::net
