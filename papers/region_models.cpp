// SPDX-License-Identifier: Apache-2.0
#include "papers/region_models.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/error.h"
#include "base/output_file.h"
#include "base/sha256.h"

namespace psim::reproduce {

TemporaryFolder temporary_folder() {
  const std::string parent = std::filesystem::temp_directory_path();
  auto folder = TemporaryFolder::make(parent, "psim-papers-");
  if (!folder) throw UserError(fmt::format("{}: {}", parent, std::strerror(errno)));
  return std::move(*folder);
}

RegionModels::RegionModels(const std::string& tables, const std::string& into) {
  const std::string text = "format = 1\n" + tables;
  if (into.empty()) folder_ = temporary_folder();
  path_ = fmt::format("{}/models-{}.toml", into.empty() ? folder_->path() : into, sha256(text).substr(0, 16));
  OutputFile file(path_, "models of regions");
  file.write(text);
  file.commit();
}

}  // namespace psim::reproduce
