// SPDX-License-Identifier: Apache-2.0
// The messages of `psim cosim --report --message …`: a table, and for each message a chart with a row for
// each component that it passes.
#pragma once

#include <string>

#include "cosim/message_timeline.h"

namespace psim::report {

/// Returns the section; empty if there are no messages. Its style is message_css().
std::string message_section(const cosim::MessageTimeline& timeline);
const char* message_css();

}  // namespace psim::report
