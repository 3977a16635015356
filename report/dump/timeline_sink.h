// SPDX-License-Identifier: Apache-2.0
// The destination of chosen timelines: a file writer or a collector.
#pragma once

#include <functional>
#include <string>

#include "pipeline/observer.h"

namespace psim::pipeline::dump {

/// Receives timelines in order of sequence, gaps allowed.
class TimelineSink {
 public:
  virtual ~TimelineSink() = default;
  virtual void add(const InstructionTimeline& timeline) = 0;
  /// Ends the timelines: writes out all held data and puts the file in place.
  virtual void finish() = 0;
};

/// The assembly text of an instruction at `pc`.
using Disassembler = std::function<std::string(const isa::StaticInstruction& instruction, std::uint64_t pc)>;

/// An additional remark on an instruction, such as its energy; none if empty.
using Remark = std::function<std::string(const InstructionTimeline& timeline)>;

}  // namespace psim::pipeline::dump
