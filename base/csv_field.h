// SPDX-License-Identifier: Apache-2.0
// Fields of CSV files (RFC 4180).
#pragma once

#include <string>

namespace psim {

/// Returns a text as a field of a CSV file: in quotes if it has commas, quotes or ends of lines.
std::string csv_field(const std::string& text);

}  // namespace psim
