// SPDX-License-Identifier: Apache-2.0
// What the ranks of all jobs print: gathered by the first host process and printed in the order of simulated
// time, then of ranks.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "netsim/engine/engine.h"
#include "netsim/parallel/parcel.h"
#include "ranks/output.h"

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

  /// Lines of standard output are passed on whole: the begin of one waits for its end, as long as it is
  /// shorter than kMostHeld. Standard error is passed on at once.
  void write(std::uint32_t rank, Stream stream, std::string_view text) override;
  static constexpr std::size_t kMostHeld = 64 * 1024;
  /// The rank is over: what waits has no end.
  void end(std::uint32_t rank);
  /// So is the run, for all ranks.
  void end_all();
  void print_before(std::uint64_t time);

  void write(Parcel& parcel);
  void read(Parcel& parcel);

 private:
  void add(Picoseconds time, std::uint32_t rank, Stream stream, std::string_view text);
  Picoseconds now() const { return Picoseconds{static_cast<std::int64_t>(engine_->now() + *ahead_)}; }

  Print print_;
  const Engine* engine_ = nullptr;
  const std::uint64_t* ahead_ = nullptr;
  bool prints_ = true;
  OutputOrder order_;
  std::vector<Printed> for_first_;
  std::map<std::uint32_t, std::string> held_;  // begins of lines, by rank
};

}  // namespace psim::net
