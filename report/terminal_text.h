// SPDX-License-Identifier: Apache-2.0
// A page for a terminal: the cards, notes and tables of a page's HTML as text, on one screen.
#pragma once

#include <string>
#include <string_view>

namespace psim::report {

struct ScreenSize {
  std::size_t columns = 100, lines = 44;
  std::size_t rows = 30;  ///< most of a table; of lines that do not fit there are fewer
};

/// Returns the text of HTML that this room has made: headings, cards, paragraphs and the first rows of each
/// table. Folded parts, charts, and the sections of the machine, the statistics and the identity are left
/// out, and then rows, until the text fits.
std::string terminal_text(std::string_view html, ScreenSize screen);

}  // namespace psim::report
