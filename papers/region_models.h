// SPDX-License-Identifier: Apache-2.0
// A file of models of regions for a skeleton's run.
#pragma once

#include <optional>
#include <string>

#include "base/abandoned.h"

namespace psim::reproduce {

class RegionModels {
 public:
  /// Writes the tables, [region.NAME] …, to a file: in the folder `into`, named after the contents, or, if it
  /// is empty, in a temporary folder that is removed with this object. Throws UserError if there is no room.
  RegionModels(const std::string& tables, const std::string& into);
  const std::string& path() const { return path_; }

 private:
  std::optional<TemporaryFolder> folder_;
  std::string path_;
};

/// Creates a temporary folder. Throws UserError.
TemporaryFolder temporary_folder();

}  // namespace psim::reproduce
