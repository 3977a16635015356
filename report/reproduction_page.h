// SPDX-License-Identifier: Apache-2.0
// The page of `psim reproduce --all`: each published result with the paper's numbers, ours, and the figures
// drawn again.
#pragma once

#include "report/page.h"

namespace psim::report {

/// Returns the body of the page. The key `page` of the result holds `decisions`, the folder of decisions to
/// link or "", and `experiments`: each with `name`, `title`, `source`, `command`, `cpu_seconds`, `rows`
/// (`text`, `source`, `paper`, `ours`, `error`, `goal`, `status`, `decision`), `charts` (Chart::json()) and
/// `output`.
PageBody reproduction_page(const nlohmann::ordered_json& result);

}  // namespace psim::report
