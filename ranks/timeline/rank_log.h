// SPDX-License-Identifier: Apache-2.0
// The events of one rank as bytes: some nine for a call, some twelve for a message. Times ascend.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "netsim/message/call_observer.h"

namespace psim::net {

struct LogEvent {
  enum class Kind : std::uint8_t { Enter, Leave, Note };
  Kind kind{};
  std::uint64_t time = 0;      ///< ps
  std::uint32_t function = 0;  ///< Enter: the writer's number
  CallNote note;
};

class RankLog {
 public:
  RankLog() = default;
  /// Makes a log from the results of bytes() and calls() of another.
  RankLog(std::vector<std::uint8_t> bytes, std::uint64_t calls) : bytes_(std::move(bytes)), calls_(calls) {}

  void enter(std::uint64_t time, std::uint32_t function);
  void leave(std::uint64_t time);
  void note(std::uint64_t time, const CallNote& note);

  bool empty() const { return bytes_.empty(); }
  std::uint64_t calls() const { return calls_; }
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }

  /// Reads events in order.
  class Reader {
   public:
    explicit Reader(const RankLog& log) : bytes_(log.bytes_) {}
    /// Reads the next event; returns false at the end.
    bool next(LogEvent& event);

   private:
    std::uint64_t number();
    const std::vector<std::uint8_t>& bytes_;
    std::size_t at_ = 0;
    std::uint64_t time_ = 0;
  };

 private:
  void begin(std::uint64_t time, std::uint64_t what);
  void put(std::uint64_t value);

  std::vector<std::uint8_t> bytes_;
  std::uint64_t last_ = 0;
  std::uint64_t calls_ = 0;
};

}  // namespace psim::net
