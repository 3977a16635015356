// SPDX-License-Identifier: Apache-2.0
// The levels below the first: the second level and memory, wired.
#pragma once

#include <memory>

#include "pipeline/memory/l2_cache.h"
#include "pipeline/memory/memory_controller.h"
#include "pipeline/memory/memory_factory.h"

namespace psim::pipeline {

class MemorySystem : public sc_core::sc_module {
 public:
  /// `period` is one core cycle. Without a factory, memory is a MemoryController.
  MemorySystem(const sc_core::sc_module_name& name, const L2Config& l2_config,
               const MemoryConfig& memory_config, sc_core::sc_time period,
               const MemoryFactory& make_memory = {})
      : sc_module(name),
        l2("l2", l2_config, period),
        memory(make_memory ? make_memory("memory", memory_config, period)
                           : std::make_unique<MemoryController>("memory", memory_config, period)) {
    l2.out_lines.bind(memory->requests());
  }
  void attach(L1Port& port) {
    port.out_lines.bind(l2.in_requests);
    l2.out_back_invalidate(port);
  }

  L2Cache l2;
  const std::unique_ptr<MemoryModel> memory;
};

}  // namespace psim::pipeline
