// SPDX-License-Identifier: Apache-2.0
// Keeps the text image of a trace equal to the code that a program can execute.
#pragma once

#include "isa/exec/executor.h"
#include "isa/memory/guest_memory.h"
#include "isa/trace/record_writer.h"

namespace psim::isa::trace {

/// A listener that updates a text image. Text that changes without being decoded (on an executable stack)
/// stays in the image as last decoded.
class TextCapture final : public Executor::DecodeListener {
 public:
  /// Fills `image` with every executable page.
  TextCapture(const GuestMemory& memory, TextImage& image);

  /// Reports changes to `writer`, too, from now on.
  void report_to(RecordWriter& writer) { writer_ = &writer; }
  /// Call after each instruction: pages may have been mapped.
  void refresh() {
    if (memory_.executable_generation() != generation_) refresh_pages();
  }
  void code_decoded(std::uint64_t address, std::uint64_t bytes) override;

 private:
  void refresh_pages();
  void set(std::uint64_t address, std::span<const std::uint32_t> words);
  void compare(std::uint64_t address, std::uint64_t bytes);

  const GuestMemory& memory_;
  TextImage& image_;
  RecordWriter* writer_ = nullptr;
  std::uint64_t generation_;
};

}  // namespace psim::isa::trace
