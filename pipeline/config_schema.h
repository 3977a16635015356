// SPDX-License-Identifier: Apache-2.0
// The keys of the core in a machine file: [core] and its tables.
#pragma once

#include "base/config/schema.h"
#include "pipeline/config.h"

namespace psim::pipeline {

/// Adds every key of `config`, which must outlive `schema`.
void describe(Schema& schema, CoreConfig& config);

}  // namespace psim::pipeline
