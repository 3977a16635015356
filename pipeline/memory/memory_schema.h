// SPDX-License-Identifier: Apache-2.0
// The keys of the memory system in a machine file: [l1i], [l1d], [l2], [memory].
#pragma once

#include "base/config/schema.h"
#include "pipeline/memory/cache_config.h"

namespace psim::pipeline {

/// `key` is "l1i" or "l1d", `doc` what the cache is; which prefetches it may have depends on `instructions`.
void describe(Schema& schema, L1Config& config, const std::string& key, const std::string& doc,
              bool instructions);
void describe(Schema& schema, L2Config& config);
void describe(Schema& schema, MemoryConfig& config);

}  // namespace psim::pipeline
