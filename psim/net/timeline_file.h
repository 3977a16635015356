// SPDX-License-Identifier: Apache-2.0
// `psim net --timeline`: what ranks did, for other programs to show. NAME.json is a trace of events for
// Perfetto, NAME.otf2 the folder of an OTF2 archive.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "netsim/timeline/timeline.h"

namespace psim {

/// What a timeline tells beside the events.
struct TimelineOf {
  std::string program;      ///< as the user called it
  std::uint32_t ranks = 0;  ///< of the program, observed or not
  std::uint32_t ranks_a_node = 1;
};

class TimelineFile {
 public:
  /// Chooses by the end of the name and makes sure that the file can be written. Throws UserError.
  static std::unique_ptr<TimelineFile> make(const std::string& path);
  virtual ~TimelineFile() = default;
  /// Writes all, then puts it in its place. Throws UserError.
  virtual void write(const net::Timeline& timeline, const TimelineOf& of) = 0;
};

std::unique_ptr<TimelineFile> make_perfetto_timeline(const std::string& path);
std::unique_ptr<TimelineFile> make_otf2_timeline(const std::string& path);

/// "0:63,128": ranks and ranges of them, below `ranks`. `option` names it. Throws UserError.
std::vector<std::pair<std::uint32_t, std::uint32_t>> parse_ranks(const std::string& option,
                                                                 const std::string& text,
                                                                 std::uint32_t ranks);

}  // namespace psim
