// SPDX-License-Identifier: Apache-2.0
// Lists of a data file of published results, and the tables made from them (docs/published-data.md).
#pragma once

#include <vector>

#include "base/config/setting.h"

namespace psim::reproduce {

/// Returns the settings without the tables [list.NAME], and with a table for each row of a list in place of a
/// table whose name has {LIST} or {LIST.COLUMN}.
std::vector<Setting> with_lists(const std::vector<Setting>& settings, Problems& problems);

}  // namespace psim::reproduce
