// SPDX-License-Identifier: Apache-2.0
// Keeps the text image of a trace the same as what a program can execute.
#pragma once

#include "isa/exec/executor.h"
#include "isa/memory/guest_memory.h"
#include "isa/trace/record_writer.h"

namespace psim::isa::trace {

/// Where code may change without being decoded (an executable stack), the image holds it as it was when it
/// was last decoded: a change that nothing looked at is not seen.
class TextCapture final : public Executor::DecodeListener {
 public:
  /// Fills `image` with every executable page.
  TextCapture(const GuestMemory& memory, TextImage& image);

  /// Changes go to `writer`, too, from now on.
  void report_to(RecordWriter& writer) { writer_ = &writer; }
  /// After each instruction: pages may have been mapped.
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
