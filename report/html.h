// SPDX-License-Identifier: Apache-2.0
// Text and numbers as HTML. Everything that comes from outside goes through one of these.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace psim::report {

/// Safe in an element and in a quoted attribute; bytes that are not UTF-8 become U+FFFD.
std::string escape(std::string_view text);
/// <data value="1234567">1,234,567</data>
std::string count(std::uint64_t value);
/// <data value="0.00123">1.23 mJ</data>: four significant digits and the SI prefix that suits them.
std::string quantity(double value, std::string_view unit);
/// 1,234,567
std::string grouped(std::uint64_t value);
/// One figure of a page's summary, in a list of class "cards"; both are HTML already.
std::string card(std::string_view name, std::string_view value);
/// JSON that may stand inside <script>: no "<" in it, whatever its strings hold.
std::string script_json(const nlohmann::ordered_json& json);

}  // namespace psim::report
