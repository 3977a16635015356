// SPDX-License-Identifier: Apache-2.0
// The common parts of psim's pages. A page makes no network requests, follows the theme, and may hold a stage
// view.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace psim::report {

/// The part of a page that depends on the kind of result.
struct PageBody {
  std::string html;
  nlohmann::ordered_json data = nlohmann::ordered_json::object();  ///< for the scripts
  std::vector<std::string_view> scripts;
  std::string css;
  std::vector<std::string> missing;  ///< what the result does not hold, and how to get it
};

/// Returns the page from the doctype to <body>; `title` is HTML. `css` comes before report.css.
std::string page_begin(std::string_view title, std::string_view css = "");
/// Returns the button that switches between light and dark.
std::string theme_button();
/// Returns the buttons, canvas, legend and hover of web/stage_view.js.
std::string stage_block();
/// Returns the data and the scripts, in order, to </html>.
std::string page_end(const nlohmann::ordered_json& data, const std::vector<std::string_view>& scripts);

}  // namespace psim::report
