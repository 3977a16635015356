// SPDX-License-Identifier: Apache-2.0
#include "report/figure.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/html.h"
#include "report/web_files.h"

namespace psim::report {

namespace {

using Json = nlohmann::ordered_json;

Json axis_json(const Chart::Axis& axis) {
  return {{"name", axis.name}, {"unit", axis.unit}, {"log", axis.logarithmic}, {"each", axis.each}};
}

}  // namespace

Chart::Chart(std::string title, Axis x, Axis y, Kind kind) {
  constexpr const char* kKinds[] = {"lines", "bars", "timeline", "map", "path", "spans", "parts"};
  json_ = {{"title", std::move(title)},
           {"kind", kKinds[static_cast<int>(kind)]},
           {"x", axis_json(x)},
           {"y", axis_json(y)},
           {"series", Json::array()}};
}

void Chart::series(const Series& series) {
  json_["series"].push_back(
      {{"name", series.name}, {"mark", series.mark}, {"dashed", series.dashed}, {"points", Json::array()}});
  if (!series.colour.empty()) json_["series"].back()["colour"] = series.colour;
}

void Chart::add(Json point) { json_["series"].back()["points"].push_back(std::move(point)); }

bool Chart::empty() const {
  return std::ranges::all_of(json_.at("series"), [](const Json& one) { return one.at("points").empty(); });
}

std::string Chart::html(bool heading) const {
  if (empty()) return "";
  const std::string title = escape(json_.at("title").get<std::string>());
  return fmt::format(
      "<figure class=\"chart\" data-chart=\"{}\">{}<div class=\"plot\"></div><noscript><p "
      "class=\"dim\">The chart needs scripts; its numbers are in the tables.</p></noscript></figure>\n",
      escape(json_.dump(-1, ' ', false, Json::error_handler_t::replace)),
      heading ? "<h3>" + title + "</h3>" : "");
}

std::vector<std::string_view> chart_scripts() { return {web::plot_js, web::figures_js}; }

}  // namespace psim::report
