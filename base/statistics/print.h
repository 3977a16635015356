// SPDX-License-Identifier: Apache-2.0
// Formats of readings of statistics for the outputs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/statistics/registry.h"

namespace psim::statistics {

/// Returns {"l1d": {"hits": 12, "miss_rate": 0.25, "miss_latency": {"samples": 3, "mean": 24.0, "buckets":
/// {"16": 3}}}}.
nlohmann::ordered_json to_json(const std::vector<Reading>& readings);

/// Returns a table for people: by component, value, unit and meaning.
std::string to_text(const std::vector<Reading>& readings);

/// Returns "component,statistic,value,unit,meaning" and a line for each value. A distribution has lines for
/// its samples, its mean and each bucket that is not empty.
std::string to_csv(const std::vector<Reading>& readings);

/// Returns the names for rows of values over time, separated by commas; the next function returns the values
/// of a row. A distribution is represented by its mean.
std::string csv_names(const std::vector<Reading>& readings);
std::string csv_values(const std::vector<Reading>& readings);

/// Returns the manual: a section for each component, a line for each statistic.
std::string to_markdown(const std::vector<Reading>& readings);

/// Returns the readings whose full name, unit or meaning contains every one of `words`, in any case.
std::vector<Reading> matching(const std::vector<Reading>& readings, const std::vector<std::string>& words);

/// Returns "Counter", "Ratio" or "Distribution".
std::string_view kind_of(const Reading& reading);
/// Returns the value with all its digits: a count, a ratio, the mean of a distribution.
std::string exact_value(const Reading& reading);
/// Returns the value as text: a count, a ratio with six digits, the mean of a distribution.
std::string value_text(const Reading& reading);

}  // namespace psim::statistics
