// SPDX-License-Identifier: Apache-2.0
// The messages of `psim cosim --report --message …`: a table, and for each message a chart with a row for
// each component that it passes.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cosim/message_timeline.h"

namespace psim::report {

/// Returns what message_section() shows of the first `most` messages, for the key `page` of the result.
nlohmann::ordered_json message_page(const cosim::MessageTimeline& timeline, std::size_t most);

/// Returns the section; empty for null and without messages. Its charts need chart_scripts() (figure.h).
std::string message_section(const nlohmann::ordered_json& messages);

}  // namespace psim::report
