// SPDX-License-Identifier: Apache-2.0
// For tests: a level below L1 that answers every read after a fixed number of cycles and records the
// requests. With `answer = false` it stays silent until answer_all().
#pragma once

#include <vector>

#include "pipeline/memory/l1_cache.h"

namespace psim::pipeline::testing {

class RecordingLevel : public NextLevel {
 public:
  struct Request {
    bool write;
    std::uint64_t address, cycle;
    bool operator==(const Request&) const = default;
  };
  explicit RecordingLevel(std::uint64_t latency = 20, bool answer = true)
      : latency_(latency), answer_(answer) {}
  void serve(L1Cache& cache) { cache_ = &cache; }

  void read(std::uint64_t address, AccessKind, std::uint64_t cycle, std::uint32_t miss_register) override {
    requests.push_back({false, address, cycle});
    if (answer_)
      cache_->fill(miss_register, cycle + latency_, cycle, Level::L2);
    else
      silent_.push_back(miss_register);
  }
  void write_back(std::uint64_t address, std::uint64_t cycle) override {
    requests.push_back({true, address, cycle});
  }
  /// Delivers at `now` every line held back, without earlier notice.
  void answer_all(std::uint64_t now) {
    for (const std::uint32_t miss_register : silent_) cache_->fill(miss_register, now, now, Level::Memory);
    silent_.clear();
  }

  std::vector<Request> requests;

 private:
  std::uint64_t latency_;
  bool answer_;
  L1Cache* cache_ = nullptr;
  std::vector<std::uint32_t> silent_;
};

}  // namespace psim::pipeline::testing
