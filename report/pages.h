// SPDX-License-Identifier: Apache-2.0
// The pages of results, one for each kind of result. Each returns the body of the page; report.cpp chooses.
#pragma once

#include <vector>

#include "base/statistics/registry.h"
#include "report/page.h"

namespace psim::report {

/// `psim run` and `psim replay`. `described` has the units and meanings of statistics.
PageBody core_page(const nlohmann::ordered_json& result, const std::vector<statistics::Reading>& described);

/// `psim compare`: all results, and the differences of each from the first, with their causes.
PageBody compare_page(const nlohmann::ordered_json& result);

/// `psim fit`: for each region its expression, a chart of points, curve and prediction interval, and the
/// relative residuals. The key `page` of the result holds `fits`, an entry for each region: `x_name`, `x` of
/// each point and `curve`, rows [x, value, low, high].
PageBody fit_page(const nlohmann::ordered_json& result);

/// `psim predict`: the time by number of ranks with its interval, the parts that regions have in it, and the
/// assumptions of the interval.
PageBody predict_page(const nlohmann::ordered_json& result);

/// `psim reproduce`: published results, each with the paper's numbers, ours, their differences, and the
/// figures drawn again. The key `page` of the result holds `decisions`, the folder of decisions to link or
/// "", and `experiments`: each with `name`, `title`, `source`, `command`, `cpu_seconds`, `rows` (`text`,
/// `source`, `paper`, `ours`, `error`, `goal`, `status`, `decision`, and as numbers `difference` and
/// `tolerance`), `charts` (Chart::json()) and `output`.
PageBody reproduction_page(const nlohmann::ordered_json& result);

/// `psim roofline`: log-log diagrams of the roofs and points of a node, by bytes of memory and by bytes of
/// messages, and the table of points with their remedies.
PageBody roofline_page(const nlohmann::ordered_json& result);

/// A result without a page of its own, such as that of `psim exec` or of one experiment of `psim reproduce`:
/// every list as a table, and all other values.
PageBody other_page(const nlohmann::ordered_json& result);

}  // namespace psim::report
