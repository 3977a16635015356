// SPDX-License-Identifier: Apache-2.0
// The page of a result without a page of its own, such as that of `psim exec` or of one experiment of `psim
// reproduce`: every list as a table, and all other values.
#pragma once

#include "report/page.h"

namespace psim::report {

PageBody other_page(const nlohmann::ordered_json& result);

}  // namespace psim::report
