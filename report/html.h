// SPDX-License-Identifier: Apache-2.0
// Text and numbers as HTML. All external text passes through one of these functions.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace psim::report {

/// Returns text that is safe in an element and in a quoted attribute. Bytes that are not UTF-8 become U+FFFD.
std::string escape(std::string_view text);
/// Returns <data value="1234567">1,234,567</data>.
std::string count(std::uint64_t value);
/// Returns <data value="0.00123">1.23 mJ</data>: four significant digits and a suitable SI prefix.
std::string quantity(double value, std::string_view unit);
/// Returns <data value="EXACT">532.8 M</data>: six digits, or an SI prefix for values that would need many
/// zeros or an exponent. The unit stands elsewhere.
std::string number(double value, std::string_view exact);
/// Returns 1,234,567.
std::string grouped(std::uint64_t value);
/// Returns one figure of a page's summary, in a list of class "cards". Both arguments are HTML.
std::string card(std::string_view name, std::string_view value);
/// Returns JSON that may stand inside <script>: it contains no "<", whatever its strings hold.
std::string script_json(const nlohmann::ordered_json& json);

}  // namespace psim::report
