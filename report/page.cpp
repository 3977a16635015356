// SPDX-License-Identifier: Apache-2.0
#include "report/page.h"

#include <nlohmann/json.hpp>

#include "report/html.h"
#include "report/web_files.h"

namespace psim::report {

std::string page_begin(std::string_view title, std::string_view css) {
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      // The page makes no network requests, and this policy would block any.
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
      "'unsafe-inline'; style-src 'unsafe-inline'; img-src data:\">\n<title>";
  page.append(title).append(" &middot; psim</title>\n<style>\n").append(css).append("\n");
  return page.append(web::report_css).append("</style>\n</head>\n<body>\n");
}

std::string theme_button() {
  return "<button type=\"button\" id=\"theme\" title=\"change between light and dark\">Light / dark</button>";
}

std::string stage_block() {
  return "<div class=\"bar\"><button type=\"button\" id=\"stage-in\">Zoom in</button>"
         "<button type=\"button\" id=\"stage-out\">Zoom out</button>"
         "<button type=\"button\" id=\"stage-align\">Align</button>"
         "<label><input id=\"stage-squeeze\" type=\"checkbox\" checked> leave out idle cycles</label>"
         "<label>Show <select id=\"stage-lane\"><option value=\"both\">scalar and PEs</option>"
         "<option value=\"scalar\">scalar only</option><option value=\"pes\">PEs "
         "only</option></select></label>"
         "<label>Go to <input id=\"stage-go\" type=\"text\" placeholder=\"cycle, #number, 0xPC, "
         "text\"></label>"
         "<span id=\"stage-found\" role=\"status\"></span>"
         "<span class=\"dim\">Scroll for instructions; shift-scroll, drag or arrow keys for cycles; "
         "ctrl-scroll, + and - to zoom.</span></div>\n"
         "<div id=\"stages\"><div id=\"stage-scroll\" tabindex=\"0\" role=\"application\" "
         "aria-label=\"pipeline stages by instruction and cycle\"><div id=\"stage-filler\"></div></div>"
         "<canvas id=\"stage-canvas\" aria-hidden=\"true\"></canvas></div>\n"
         "<div id=\"stage-legend\" class=\"legend\"></div><div id=\"stage-tip\" role=\"status\"></div>\n"
         "<noscript><p class=\"dim\">The stage view needs scripts; <code>psim view</code> shows a dump in "
         "the "
         "terminal.</p></noscript>";
}

std::string page_end(const nlohmann::ordered_json& data, const std::vector<std::string_view>& scripts) {
  std::string page =
      "<script type=\"application/json\" id=\"psim-data\">" + script_json(data) + "</script>\n";
  for (const std::string_view script : scripts) page.append("<script>").append(script).append("</script>\n");
  return page + "</body>\n</html>\n";
}

}  // namespace psim::report
