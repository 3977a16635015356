// SPDX-License-Identifier: Apache-2.0
#include "psim/cosim/message_outputs.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/console.h"
#include "base/error.h"
#include "report/messages/message_json.h"
#include "report/messages/message_perfetto.h"

namespace psim {

void add_message_options(CLI::App& app, MessageOptions& options) {
  app.add_option("--messages", options.files,
                 "write the timeline of messages from doorbell to poll: to NAME.json (`psim schema messages` "
                 "explains it), to NAME.trace.json for Perfetto; may be repeated")
      ->type_name("FILE")
      ->take_all();
  app.add_option("--message", options.choice,
                 "messages that --messages and --report show: RANK.NUMBER, or from=, to=, number=, tag=, "
                 "bytes=, time= and first= with commas, A:B for ranges [first=1000]")
      ->type_name("CHOICE");
}

MessageOutputs::MessageOutputs(const MessageOptions& options) : options_(options) {
  for (const std::string& file : options.files) {
    if (!file.ends_with(".json"))
      throw UserError(fmt::format("--messages {}: the name must end in .json", file));
    files_.emplace_back(file, "--messages");
  }
}

std::optional<cosim::MessageChoice> MessageOutputs::choice(const MessageOptions& options,
                                                           std::uint32_t ranks) {
  if (!options.choice.empty() && options.files.empty() && !options.with_report)
    throw UserError(
        fmt::format("--message {}: needs --messages or --report, a file that shows it", options.choice));
  if (options.choice.empty() && options.files.empty() && !options.with_report) return std::nullopt;
  if (options.choice.empty()) return cosim::MessageChoice{};
  return cosim::parse_message_choice("--message", options.choice, ranks);
}

void MessageOutputs::write(const cosim::MessageTimeline& timeline) {
  if (timeline.messages.empty() && !options_.choice.empty())
    console::log("psim: --message {}: no message of this run fits it\n", options_.choice);
  for (std::size_t i = 0; i < files_.size(); ++i) {
    const bool trace = options_.files[i].ends_with(".trace.json");
    files_[i].write(trace ? message_perfetto(timeline) : message_file(timeline).dump(1) + "\n");
    files_[i].commit();
  }
}

}  // namespace psim
