// SPDX-License-Identifier: Apache-2.0
// One loaded program; the globals that a rank has written are copied out and in when another rank runs.
#pragma once

#include <optional>

#include "ranks/program/globals.h"
#include "ranks/program/saved_range.h"

namespace psim::net {

class SwappedGlobals : public Globals {
 public:
  SwappedGlobals(const Program& program, std::uint32_t ranks);

  const Image& image(std::uint32_t) const override { return image_; }
  void enter(std::uint32_t rank) override {
    if (rank != current_) swap_in(rank);
  }
  std::byte* memory(std::uint32_t rank, void* address, std::uint64_t bytes) override;
  void forget(std::uint32_t rank) override;
  GlobalsMode mode() const override { return GlobalsMode::Swapped; }
  std::uint64_t bytes_per_rank() const override { return least_; }

 private:
  void swap_in(std::uint32_t rank);

  Image image_;
  std::optional<SavedRange> globals_;
  std::optional<SavedRange> locals_;  // thread_local variables
  std::uint64_t least_;
  std::uint32_t current_ = SavedRange::kNone;
};

}  // namespace psim::net
