// SPDX-License-Identifier: Apache-2.0
// One loaded program whose globals are pages of one memory file, mapped anew when another rank runs.
#pragma once

#include "netsim/ranks/globals.h"

namespace psim::net {

class RemappedGlobals : public Globals {
 public:
  RemappedGlobals(const Program& program, std::uint32_t ranks);
  ~RemappedGlobals() override;

  const Image& image(std::uint32_t) const override { return image_; }
  void enter(std::uint32_t rank) override {
    if (rank != current_) map_in(rank);
  }
  std::byte* memory(std::uint32_t rank, void* address) const override;
  GlobalsMode mode() const override { return GlobalsMode::Remapped; }
  std::uint64_t bytes_per_rank() const override { return least_; }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  void map_in(std::uint32_t rank);
  void start(std::uint32_t rank);
  std::byte* slot(std::uint32_t rank) const { return all_ + std::size_t{rank} * slot_; }

  Image image_;
  std::byte* globals_;
  std::size_t globals_size_;
  std::byte* locals_;  // thread_local variables: copied, their block has no pages of its own
  std::size_t locals_size_;
  std::size_t least_;
  std::size_t slot_;  // whole pages: the globals, then the thread_locals
  std::size_t reserved_;
  int file_;
  std::byte* all_;  // the same pages, of every rank, side by side
  std::vector<std::byte> pristine_;
  std::vector<bool> started_;
  std::uint32_t current_ = kNone;
};

}  // namespace psim::net
