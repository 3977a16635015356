// SPDX-License-Identifier: Apache-2.0
// Makes text from files and programs safe for a terminal: names in traces, symbols, values of configurations.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace psim {

/// Returns `text` with every character that a terminal would interpret replaced by an escape. Control
/// characters except line end and tab, and characters that change the direction of writing, become \u001b;
/// bytes that are not UTF-8 become \x9b. JSON and TOML keep their meaning, because both read \u001b in their
/// strings.
std::string printable(std::string_view text);

/// Returns `text` with every byte that is not printable ASCII replaced by a question mark, so that each byte
/// takes one column.
std::string one_column_each(std::string_view text);

/// Returns the number of characters of a text in UTF-8.
std::size_t characters(std::string_view text);

}  // namespace psim
