// SPDX-License-Identifier: Apache-2.0
// The answers of a first-level cache to accesses of its core.
#pragma once

#include <cstdint>

#include "pipeline/memory/memory_level.h"

namespace psim::pipeline {

enum class Outcome : std::uint8_t {
  Hit,      ///< data usable at Access::cycle
  Miss,     ///< a Completion with the token follows (never for prefetches)
  Refused,  ///< no effect: try again, not before Access::cycle
};
enum class Refusal : std::uint8_t {
  None,
  Port,          ///< ports or bank taken in this cycle
  MissRegister,  ///< no free miss register, or its list of waiting accesses is full
  Tlb,           ///< TLB miss, served until Access::cycle. kNever: a prefetch, not served
};

struct Access {
  Outcome outcome;
  Refusal refusal;
  bool merged;          ///< a miss that joined one already under way
  std::uint64_t cycle;  ///< Hit: data usable. Refused: retry from here (kNever: at a completion).
};

/// Reports that the data of an access that missed are there.
struct Completion {
  std::uint64_t token;  ///< as given to access()
  std::uint64_t cycle;  ///< data usable from here on
  Level level;          ///< that supplied the line: L2 or Memory
  AccessKind kind;      ///< as given to access()
};

/// The outcome of a hardware prefetch.
enum class PrefetchAnswer : std::uint8_t {
  Present,        ///< the line is present or under way
  Sent,           ///< it was requested
  NoRegister,     ///< not requested: the free miss registers are reserved for the program's accesses
  NoTranslation,  ///< not requested: the micro-TLB does not hold its page
};

}  // namespace psim::pipeline
