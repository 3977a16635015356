// SPDX-License-Identifier: Apache-2.0
// The output of the ranks of all jobs: gathered by the first host process and printed in the order of
// simulated time, then of ranks.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "netsim/engine/engine.h"
#include "netsim/parallel/parcel.h"
#include "ranks/libc/output.h"

namespace psim::net {

class RankOutput final : public Output {
 public:
  /// Prints a piece of output. Ranks are numbered over all jobs.
  using Print = std::function<void(RankId, Stream, std::string_view)>;

  explicit RankOutput(Print print) : print_(std::move(print)) {}
  /// `ahead`: lead of the running rank's clock over the engine's, ps. `prints`: this is the first process,
  /// which receives the output of the others.
  void start(const Engine& engine, const std::uint64_t& ahead, bool prints) {
    engine_ = &engine;
    ahead_ = &ahead;
    prints_ = prints;
  }

  /// Takes output. Lines of standard output are passed on whole: the beginning of a line waits for its end,
  /// unless it reaches kMostHeld bytes. Standard error is passed on at once.
  void write(std::uint32_t rank, Stream stream, std::string_view text) override;
  static constexpr std::size_t kMostHeld = 64 * 1024;
  /// Passes on the unfinished line of a rank that has ended.
  void end(std::uint32_t rank);
  /// Passes on the unfinished lines of all ranks at the end of the run.
  void end_all();
  void print_before(std::uint64_t time);
  /// Returns, for Print, the time of the piece that is being printed, ps.
  std::uint64_t printed_at() const { return printed_at_; }

  void write(Parcel& parcel);
  void read(Parcel& parcel);

 private:
  void add(Picoseconds time, std::uint32_t rank, Stream stream, std::string_view text);
  Picoseconds now() const { return Picoseconds{static_cast<std::int64_t>(engine_->now() + *ahead_)}; }

  Print print_;
  const Engine* engine_ = nullptr;
  const std::uint64_t* ahead_ = nullptr;
  bool prints_ = true;
  std::uint64_t printed_at_ = 0;
  OutputOrder order_;
  std::vector<Printed> for_first_;
  std::map<std::uint32_t, std::string> held_;  // beginnings of lines, by rank
};

}  // namespace psim::net
