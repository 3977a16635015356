// SPDX-License-Identifier: Apache-2.0
#include "report/stage_section.h"

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>

#include "report/html.h"
#include "report/page.h"

namespace psim::report {

using Json = nlohmann::ordered_json;

std::string stage_section(const Json& view) {
  std::string out = "<section aria-labelledby=\"stage-view\"><h2 id=\"stage-view\">Pipeline stages</h2>\n";
  const std::string window = escape(view.at("window").get<std::string>());
  const auto shown = view.at("shown").get<std::uint64_t>(),
             left_out = view.at("left_out").get<std::uint64_t>();
  if (shown == 0)
    return out +
           fmt::format("<p class=\"dim\">No instruction of the run is in the window {}.</p></section>\n",
                       window);
  out += fmt::format(
      "<p class=\"note\">{} instructions of the window {}.{} Point at one to see where it was and what it "
      "waited "
      "for; arrows show which result woke which operand.</p>\n",
      count(shown), window,
      left_out == 0 ? "" : fmt::format(" {} more are in the window but not in this page.", count(left_out)));
  return out + stage_block() + "</section>\n";
}

}  // namespace psim::report
