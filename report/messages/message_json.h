// SPDX-License-Identifier: Apache-2.0
// `psim cosim --messages`: the timeline of messages as JSON. `psim schema messages` prints its schema.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "cosim/message_timeline.h"

namespace psim {

/// Return "core" and so on, "there" and so on.
std::string_view where_name(cosim::MessagePart::Where where);
std::string_view leg_name(cosim::MessagePacket::Leg leg);

/// Returns a message as the file has it.
nlohmann::ordered_json message_json(const cosim::TracedMessage& message);

/// Returns the whole file.
nlohmann::ordered_json message_file(const cosim::MessageTimeline& timeline);

/// Returns the JSON schema of the file.
nlohmann::ordered_json message_schema();

}  // namespace psim
