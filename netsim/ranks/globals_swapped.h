// SPDX-License-Identifier: Apache-2.0
// One loaded program whose globals are copied in and out when another rank runs.
#pragma once

#include "netsim/ranks/globals.h"

namespace psim::net {

class SwappedGlobals : public Globals {
 public:
  SwappedGlobals(const Program& program, std::uint32_t ranks);
  ~SwappedGlobals() override;

  const Image& image(std::uint32_t) const override { return image_; }
  void enter(std::uint32_t rank) override {
    if (rank != current_) swap_in(rank);
  }
  std::byte* memory(std::uint32_t rank, void* address) const override;
  GlobalsMode mode() const override { return GlobalsMode::Swapped; }
  std::uint64_t bytes_per_rank() const override { return slot_; }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  void swap_in(std::uint32_t rank);
  std::byte* slot(std::uint32_t rank) const { return saved_ + std::size_t{rank} * slot_; }

  Image image_;
  std::byte* globals_;
  std::size_t globals_size_;
  std::byte* locals_;  // thread_local variables
  std::size_t locals_size_;
  std::size_t slot_;
  std::size_t reserved_;
  std::byte* saved_;
  std::vector<std::byte> pristine_;  // as loaded, before any constructor
  std::vector<bool> started_;        // ranks with a saved copy
  std::uint32_t current_ = kNone;
};

}  // namespace psim::net
