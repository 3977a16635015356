// SPDX-License-Identifier: Apache-2.0
// Manual pages in man(7) form, made from the same table as --help.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "psim/shell/command_words.h"

namespace psim {

/// Returns the page of psim itself, or of one of its commands.
std::string manual_page(const CommandWords& psim);
std::string manual_page(const CommandWords& psim, const CommandWords& command);

/// Returns the names ("psim.1", "psim-run.1") and texts of all pages.
std::vector<std::pair<std::string, std::string>> manual_pages(const CommandWords& psim);

}  // namespace psim
