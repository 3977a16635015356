// SPDX-License-Identifier: Apache-2.0
#include "pipeline/memory/stream_prefetcher.h"

#include <algorithm>
#include <bit>

namespace psim::pipeline {

StreamPrefetcher::StreamPrefetcher(std::uint32_t streams, std::uint32_t lines_ahead)
    : lines_ahead_(lines_ahead), streams_(streams) {}

/// Records whether the stream has a line to request.
void StreamPrefetcher::mark(std::size_t stream) {
  const Stream& s = streams_[stream];
  const std::uint64_t bit = std::uint64_t{1} << stream;
  const bool has_request = s.direction * steps(s.last, s.next) <= lines_ahead_;
  requesting_ = has_request ? requesting_ | bit : requesting_ & ~bit;
}

void StreamPrefetcher::touched(std::uint64_t line, bool write) {
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    Stream& s = streams_[i];
    if (s.turn == 0) continue;
    const std::int64_t distance = steps(s.last, line);
    if (s.direction == 0) {
      if (distance != 1 && distance != -1) continue;
      s.direction = distance;
      s.next = line + static_cast<std::uint64_t>(distance);
    } else {
      // Accesses come out of order, so a touch may skip lines; the next miss is one line beyond the
      // prefetched ones.
      const std::int64_t forward = s.direction * distance;
      if (forward <= 0 && forward >= -lines_ahead_) return;
      if (forward < 0 || forward > lines_ahead_ + 1) continue;
      if (s.direction * steps(line, s.next) <= 0) s.next = line + static_cast<std::uint64_t>(s.direction);
    }
    s.last = line;
    s.turn = ++turn_;
    s.write = write;
    mark(i);
    return;
  }
  for (const Stream& s : streams_)
    if (s.turn != 0 && s.last == line) return;
  const auto oldest = std::min_element(streams_.begin(), streams_.end(),
                                       [](const Stream& a, const Stream& b) { return a.turn < b.turn; });
  *oldest = {line, line, 0, ++turn_, write};
  requesting_ &= ~(std::uint64_t{1} << (oldest - streams_.begin()));
}

/// Returns the next stream with a request, after the one served last.
std::size_t StreamPrefetcher::due() const {
  const std::uint64_t behind = served_ == 63 ? 0 : requesting_ >> (served_ + 1) << (served_ + 1);
  return static_cast<std::size_t>(std::countr_zero(behind != 0 ? behind : requesting_));
}

StreamPrefetcher::Request StreamPrefetcher::next() const {
  const Stream& s = streams_[due()];
  return {s.next, s.write ? AccessKind::PrefetchWrite : AccessKind::PrefetchRead};
}

void StreamPrefetcher::requested() {
  served_ = due();
  Stream& s = streams_[served_];
  s.next += static_cast<std::uint64_t>(s.direction);
  mark(served_);
}

void StreamPrefetcher::stop() {
  served_ = due();
  requesting_ &= ~(std::uint64_t{1} << served_);
}

void StreamPrefetcher::warm_state(StateWords& words) {
  constexpr std::uint64_t kMostLine = ~std::uint64_t{0} >> 4;  // lines are of 16 bytes or more
  words.value(requesting_, ~std::uint64_t{0} >> (64 - streams_.size()));
  words.value(served_, streams_.size() - 1), words.value(turn_);
  for (Stream& s : streams_) {
    std::uint64_t up = static_cast<std::uint64_t>(s.direction + 1);
    words.value(s.last, kMostLine), words.value(s.next, kMostLine), words.value(up, 2);
    words.value(s.turn), words.value(s.write, 1);
    s.direction = static_cast<std::int64_t>(up) - 1;
  }
}

}  // namespace psim::pipeline
