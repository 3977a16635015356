// SPDX-License-Identifier: Apache-2.0
// What the ranks of all jobs print: gathered by the first host process and printed in the order of simulated
// time, then of ranks.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "netsim/engine/engine.h"
#include "netsim/parallel/parcel.h"
#include "netsim/ranks/output.h"

namespace psim::net {

class RankOutput final : public Output {
 public:
  /// Ranks are counted over all jobs.
  using Print = std::function<void(RankId, Stream, std::string_view)>;

  explicit RankOutput(Print print) : print_(std::move(print)) {}
  /// `ahead`: the running rank's clock, of the engine's, ps. `prints`: this is the first process, which gets
  /// what the others write().
  void start(const Engine& engine, const std::uint64_t& ahead, bool prints) {
    engine_ = &engine;
    ahead_ = &ahead;
    prints_ = prints;
  }

  void write(std::uint32_t rank, Stream stream, std::string_view text) override;
  void print_before(std::uint64_t time);

  void write(Parcel& parcel);
  void read(Parcel& parcel);

 private:
  Print print_;
  const Engine* engine_ = nullptr;
  const std::uint64_t* ahead_ = nullptr;
  bool prints_ = true;
  OutputOrder order_;
  std::vector<Printed> for_first_;
};

}  // namespace psim::net
