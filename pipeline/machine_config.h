// SPDX-License-Identifier: Apache-2.0
// The parameters of cores with their caches and memory.
#pragma once

#include <cstdint>

#include "isa/state/simd_config.h"
#include "pipeline/config.h"
#include "pipeline/memory/cache_config.h"
#include "pipeline/memory/memory_factory.h"
#include "pipeline/node_config.h"

namespace psim::pipeline {

struct MachineConfig {
  CoreConfig core;
  isa::SimdConfig simd{.pes = 0};
  L1Config l1i, l1d;
  L2Config l2;
  MemoryConfig memory;
  MemoryFactory make_memory;  ///< empty: a MemoryController
  NodeConfig node;
};

/// Returns what the programs of the machine learn of its memory system (isa::MemoryFlags).
std::uint64_t memory_flags(const MachineConfig& machine);

}  // namespace psim::pipeline
