// SPDX-License-Identifier: Apache-2.0
#include "report/timeline/rank_section.h"

#include <fmt/format.h>

namespace psim::report {

std::string rank_section(std::string_view title, std::string_view row) {
  return fmt::format(
      "<section aria-labelledby=\"rank-time\"><h2 id=\"rank-time\">{0}</h2>\n<div class=\"bar\">"
      "<button type=\"button\" id=\"ranks-in\">Zoom in</button>"
      "<button type=\"button\" id=\"ranks-out\">Zoom out</button>"
      "<button type=\"button\" id=\"ranks-all\">All</button>"
      "<button type=\"button\" id=\"ranks-taller\">Taller rows</button>"
      "<button type=\"button\" id=\"ranks-flatter\">Flatter rows</button>"
      "<label>Row <input type=\"number\" id=\"ranks-pick\" min=\"0\" value=\"0\"></label>"
      "<span class=\"dim\">Scroll for rows; shift-scroll, drag or arrow keys for time; ctrl-scroll, + and - "
      "to zoom; click a {1} to read its time in view. Arrows are messages.</span>"
      "</div>\n<div id=\"ranks-box\"><div id=\"ranks-scroll\" tabindex=\"0\" role=\"application\" "
      "aria-label=\"time of each {1}\"><div id=\"ranks-filler\"></div></div><canvas id=\"ranks-canvas\" "
      "aria-hidden=\"true\"></canvas></div>\n<div id=\"ranks-legend\" class=\"legend\"></div>"
      "<div id=\"ranks-tip\" role=\"status\"></div>\n"
      "<div id=\"ranks-under\"></div>\n<div id=\"ranks-row\"></div></section>\n",
      title, row);
}

}  // namespace psim::report
