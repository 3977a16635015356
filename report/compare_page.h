// SPDX-License-Identifier: Apache-2.0
// The page of `psim compare`: all results, and the differences of each from the first, with their causes.
#pragma once

#include "report/page.h"

namespace psim::report {

PageBody compare_page(const nlohmann::ordered_json& result);

}  // namespace psim::report
