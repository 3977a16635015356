// SPDX-License-Identifier: Apache-2.0
// Results in files and folders as a study, for `psim report` and `--sweep --report`.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/output_file.h"

namespace psim::commands {

/// Returns the study page of all results in `paths`: files, and folders with all files *.json below them.
/// Files that are no results have a line on the page and on standard error. Throws UserError if no result
/// remains.
std::string study_page(const std::string& title, const std::vector<std::string>& paths);

/// Returns the function that writes the study of a sweep's results, for run_sweep(). `page` outlives it.
std::function<void(const std::vector<std::string>& results)> write_study(std::optional<OutputFile>& page,
                                                                         const std::string& title);

}  // namespace psim::commands
