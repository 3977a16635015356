// SPDX-License-Identifier: Apache-2.0
// The answer of the branch history table (pipeline/branch_history.h) to a search.
#pragma once

#include <cstdint>

#include "isa/table/static_instruction.h"

namespace psim::pipeline {

struct BranchAnswer {
  bool hit = false;
  bool taken = false;
  isa::BranchKind kind = isa::BranchKind::None;
  std::uint64_t target = 0;
};

}  // namespace psim::pipeline
