// SPDX-License-Identifier: Apache-2.0
// The common parts of psim's pages. A page makes no network requests, follows the theme, and may hold a stage
// view.
#pragma once

#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace psim::report {

/// Returns the page from the doctype to <body>; `title` is HTML. `css` comes before report.css.
std::string page_begin(std::string_view title, std::string_view css = "");
/// Returns the button that switches between light and dark.
std::string theme_button();
/// Returns the buttons, canvas, legend and hover of web/stage_view.js.
std::string stage_block();
/// Returns the data and the scripts, in order, to </html>.
std::string page_end(const nlohmann::ordered_json& data, std::initializer_list<std::string_view> scripts);

}  // namespace psim::report
