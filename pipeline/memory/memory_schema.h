// SPDX-License-Identifier: Apache-2.0
// The keys of the memory system in a machine file: [l1i], [l1d], [l2], [memory].
#pragma once

#include "base/config/schema.h"
#include "pipeline/memory/cache_config.h"

namespace psim::pipeline {

/// Adds the keys of a cache. `key` is "l1i" or "l1d", `doc` describes the cache; its allowed prefetches
/// depend on `instructions`.
void describe(Schema& schema, L1Config& config, const std::string& key, const std::string& doc,
              bool instructions);
void describe(Schema& schema, L2Config& config);
void describe(Schema& schema, MemoryConfig& config);

}  // namespace psim::pipeline
