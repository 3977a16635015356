// SPDX-License-Identifier: Apache-2.0
// A function that makes the model of a machine's memory: pipeline/memory/memory_model.h.
#pragma once

#include <functional>
#include <memory>

#include "pipeline/memory/cache_config.h"

namespace sc_core {
class sc_module_name;
class sc_time;
}  // namespace sc_core

namespace psim::pipeline {

class MemoryModel;

/// Arguments: the name to construct the module with, the keys memory.… of the machine, and the period of a
/// core cycle. A machine of several nodes calls the function once for each.
using MemoryFactory = std::function<std::unique_ptr<MemoryModel>(
    const sc_core::sc_module_name& name, const MemoryConfig& config, const sc_core::sc_time& period)>;

}  // namespace psim::pipeline
