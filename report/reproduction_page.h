// SPDX-License-Identifier: Apache-2.0
// The page of `psim reproduce`: published results, each with the paper's numbers, ours, their differences,
// and the figures drawn again.
#pragma once

#include "report/page.h"

namespace psim::report {

/// Returns the body of the page. The key `page` of the result holds `decisions`, the folder of decisions to
/// link or "", and `experiments`: each with `name`, `title`, `source`, `command`, `cpu_seconds`, `rows`
/// (`text`, `source`, `paper`, `ours`, `error`, `goal`, `status`, `decision`, and as numbers `difference` and
/// `tolerance`), `charts` (Chart::json()) and `output`.
PageBody reproduction_page(const nlohmann::ordered_json& result);

}  // namespace psim::report
