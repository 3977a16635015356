// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>

namespace psim::cosim {

/// A count of events that SystemC orders against the core only by their times. The core may run ahead of
/// SystemC or be asleep behind it: its sample at time t has the events before t, in whatever order SystemC
/// runs what happens at one time.
class TimedCount {
 public:
  void add(std::uint64_t time, std::uint64_t count) {
    if (count == 0) return;
    all_ += count;
    if (!later_.empty() && later_.back().time == time)
      later_.back().count += count;
    else
      later_.push_back({time, count});
  }
  /// Returns the count of events before `time`, which never decreases from call to call.
  std::uint64_t before(std::uint64_t time) {
    while (!later_.empty() && later_.front().time < time) {
      before_ += later_.front().count;
      later_.pop_front();
    }
    return before_;
  }
  std::uint64_t all() const { return all_; }
  /// Returns the number of times that before() has not passed.
  std::size_t pending() const { return later_.size(); }

 private:
  struct Entry {
    std::uint64_t time, count;
  };
  std::deque<Entry> later_;
  std::uint64_t before_ = 0, all_ = 0;
};

}  // namespace psim::cosim
