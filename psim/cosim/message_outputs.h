// SPDX-License-Identifier: Apache-2.0
// The files of `psim cosim` that show messages (--messages), and the choice of messages (--message).
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "base/output_file.h"
#include "cosim/message_choice.h"
#include "cosim/message_timeline.h"

namespace psim {

struct MessageOptions {
  std::vector<std::string> files;  ///< --messages
  std::string choice;              ///< --message
  bool with_report = false;        ///< there is an HTML report, which shows messages, too
};
/// Declares --messages and --message.
void add_message_options(CLI::App& app, MessageOptions& options);

class MessageOutputs {
 public:
  /// Creates the files. The options must outlive this. Throws UserError.
  explicit MessageOutputs(const MessageOptions& options);
  /// Returns the messages to trace, of `ranks` ranks; nothing if no file shows any. Throws UserError.
  static std::optional<cosim::MessageChoice> choice(const MessageOptions& options, std::uint32_t ranks);
  /// Writes the files.
  void write(const cosim::MessageTimeline& timeline);

 private:
  const MessageOptions& options_;
  std::deque<OutputFile> files_;
};

}  // namespace psim
