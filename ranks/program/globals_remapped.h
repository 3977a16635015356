// SPDX-License-Identifier: Apache-2.0
// One loaded program with large globals. Globals that begin as zeros are pages of one memory file, remapped
// when another rank runs. Of the other globals, and of thread_local variables, the parts that ranks have
// written are copied.
#pragma once

#include <sys/types.h>

#include <optional>

#include "ranks/program/globals.h"
#include "ranks/program/saved_range.h"

namespace psim::net {

class RemappedGlobals : public Globals {
 public:
  RemappedGlobals(const Program& program, std::uint32_t ranks);
  ~RemappedGlobals() override;

  const Image& image(std::uint32_t) const override { return image_; }
  void enter(std::uint32_t rank) override {
    if (rank != current_) map_in(rank);
  }
  std::byte* memory(std::uint32_t rank, void* address, std::uint64_t bytes) override;
  void before_fork() override;
  void after_fork(bool is_copy) override;
  GlobalsMode mode() const override { return GlobalsMode::Remapped; }
  std::uint64_t bytes_per_rank() const override { return least_; }

 private:
  static constexpr std::uint32_t kNone = SavedRange::kNone;
  void map_in(std::uint32_t rank);
  /// Returns the file offset of a rank's zeros.
  off_t zeros_of(std::uint32_t rank) const {
    return static_cast<off_t>(std::size_t{rank} * stride_ + (stride_ - size_));
  }

  Image image_;
  std::uint64_t least_;
  std::optional<SavedRange> initialised_;  // whole pages
  std::optional<SavedRange> locals_;       // thread_local variables
  std::byte* zeros_ = nullptr;             // the pages after `initialised_`
  std::size_t size_ = 0;                   // of these
  std::size_t stride_ = 0;                 // of a rank in the file
  std::size_t reserved_ = 0;
  int file_ = -1;
  std::byte* all_ = nullptr;  // of every rank, consecutively: lines of `initialised_`, and pages of zeros
  std::uint32_t current_ = kNone;
  std::byte* own_ = nullptr;  // in a copy made by fork(): the current rank's private pages
};

}  // namespace psim::net
