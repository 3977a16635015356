// SPDX-License-Identifier: Apache-2.0
// The keys of a kind of file that is no machine file, as its parser declares them: for its JSON schema.
#pragma once

#include <memory>

#include "base/config/schema.h"

namespace psim {

/// Keys with the values that they refer to.
struct FileKeys {
  std::shared_ptr<void> values;
  std::unique_ptr<Schema> schema = std::make_unique<Schema>();
};

}  // namespace psim
