// SPDX-License-Identifier: Apache-2.0
// Models: a prefetcher of sequential lines, for a first-level data cache. No source describes one of SPARC64
// V or VI; A64FX, of the same family, has one that detects streams and runs a set distance ahead of them
// (A64FX Specification HPC Extension 1.3.4.2: distance of 256 to 3,840 bytes for L1). The remaining rules are
// assumptions: two touches of neighbouring lines begin a stream, up or down; a new stream replaces the one
// touched longest ago; one line is requested per cycle, by the streams in turn.
//
// A touch is an access of the program that misses, or that is the first to use a prefetched line. Lines are
// addresses divided by the line size. The class has no data and no time: L1Cache makes the requests.
#pragma once

#include <cstdint>
#include <vector>

#include "pipeline/memory/memory_level.h"
#include "pipeline/memory/state_words.h"

namespace psim::pipeline {

class StreamPrefetcher {
 public:
  /// Follows `streams` (1–64) streams, each up to `lines_ahead` lines ahead of the line touched last.
  StreamPrefetcher(std::uint32_t streams, std::uint32_t lines_ahead);

  void touched(std::uint64_t line, bool write);

  /// Returns true if a stream has a line to request.
  bool has_request() const { return requesting_ != 0; }
  struct Request {
    std::uint64_t line;
    AccessKind kind;  ///< PrefetchWrite if a store touched the stream last, else PrefetchRead
  };
  /// Returns the line to request next; only if has_request().
  Request next() const;
  /// Call when the line of next() was requested, or was already there.
  void requested();
  /// Call when the line of next() has no translation: its stream waits until it is touched again.
  void stop();

  void warm_state(StateWords& words);

 private:
  struct Stream {
    std::uint64_t last = 0;      ///< line touched last
    std::uint64_t next = 0;      ///< line to request next
    std::int64_t direction = 0;  ///< +1 or -1; 0: touched once
    std::uint64_t turn = 0;      ///< of the latest touch; 0: free
    bool write = false;
  };
  static std::int64_t steps(std::uint64_t from, std::uint64_t to) {
    return static_cast<std::int64_t>(to - from);
  }
  void mark(std::size_t stream);
  std::size_t due() const;

  const std::int64_t lines_ahead_;
  std::vector<Stream> streams_;
  std::uint64_t requesting_ = 0;  // bit i: stream i has a line to request
  std::size_t served_ = 0;        // last
  std::uint64_t turn_ = 0;
};

}  // namespace psim::pipeline
