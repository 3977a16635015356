// SPDX-License-Identifier: Apache-2.0
// The files of web/, embedded in the program by embed.cmake.
#pragma once

#include <string_view>

namespace psim::report::web {

extern const std::string_view report_css, report_js, charts_js, link_map_js, machine_map_js, net_report_js,
    traffic_report_js;
extern const std::string_view rank_view_js, row_charts_js, statistics_js, profile_js;
extern const std::string_view figures_js, study_js;
extern const std::string_view stage_data_js, stage_view_js, stage_strip_js;
extern const std::string_view uplot_css, uplot_js, plot_js;  ///< third party: web/vendor/README.md

}  // namespace psim::report::web
