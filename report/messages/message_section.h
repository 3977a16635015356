// SPDX-License-Identifier: Apache-2.0
// The messages of `psim cosim --report --message …`: a table, and for each message a chart with a row for
// each component that it passes.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cosim/message_timeline.h"

namespace psim::report {

/// Returns what message_section() shows of the messages, for the key `page` of the result.
nlohmann::ordered_json message_page(const cosim::MessageTimeline& timeline);

/// Returns the section; empty for null and without messages. Its style is message_css().
std::string message_section(const nlohmann::ordered_json& messages);
const char* message_css();

}  // namespace psim::report
