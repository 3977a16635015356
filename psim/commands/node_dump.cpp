// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/node_dump.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <variant>

#include "base/console.h"
#include "base/error.h"
#include "base/parse_number.h"
#include "psim/commands/command.h"
#include "psim/commands/run_outputs.h"
#include "report/dump/kanata_writer.h"

namespace psim::commands {

void add_node_dump(CLI::App& app, NodeDumpOptions& options) {
  app.add_option("--kanata", options.kanata,
                 "write the pipeline stages of a core as a Kanata 0004 log, for Konata and psim view")
      ->type_name("FILE");
  app.add_option(
         "--dump-node", options.node,
         "the core of the stages: N, or N.C for core C of node N [core 0 of node 0; of the message's sender]")
      ->type_name("N[.C]");
  app.add_option("--window", options.window,
                 "window of --kanata and of the report's stage view: cycles=A:B, pc=0xADDR[:N], or "
                 "message=RANK.NUMBER[:N] (N instructions from "
                 "the doorbell's store, or on the other node from the load that sees it) [everything]")
      ->type_name("WINDOW");
}

namespace {

/// Reads "N" or "N.C". Throws UserError.
std::pair<std::uint32_t, std::uint32_t> dumped_core(const std::string& text, const Scenario& scenario) {
  const auto refuse = [&] {
    throw UserError(fmt::format(
        "--dump-node {}: expected a node 0 to {}, and after a point a core 0 to {}, such as 0 or 0.0", text,
        scenario.nodes - 1, scenario.node.node.cores - 1));
  };
  const auto number = [&](std::string_view word, std::uint32_t below) {
    const auto value = parse_number<std::uint32_t>(word);
    if (!value || *value >= below) refuse();
    return *value;
  };
  const std::string_view words = text;
  const std::size_t point = words.find('.');
  return {number(words.substr(0, point), scenario.nodes),
          point == words.npos ? 0 : number(words.substr(point + 1), scenario.node.node.cores)};
}

}  // namespace

std::unique_ptr<NodeDump> NodeDump::make(const NodeDumpOptions& options, const Scenario& scenario,
                                         std::uint32_t processes, bool shown) {
  namespace dump = pipeline::dump;
  for (const auto& [option, value] :
       {std::pair("--dump-node", options.node), std::pair("--window", options.window)})
    if (options.kanata.empty() && !shown && !value.empty())
      throw UserError(
          fmt::format("{} {}: needs --kanata, the file of the stages, or --report", option, value));
  if (shown && options.kanata.empty() && options.window.empty() && !options.node.empty())
    throw UserError(fmt::format("--dump-node {}: needs --kanata, or --window for the report", options.node));
  shown = shown && !options.window.empty();
  if (options.kanata.empty() && !shown) return nullptr;
  if (processes > 1)
    throw UserError(fmt::format(
        "{}: expected a single host process, but there are {}",
        options.kanata.empty() ? "--window " + options.window : "--kanata " + options.kanata, processes));
  dump::WindowSpec window = dump::CycleWindow{};
  if (!options.window.empty()) window = dump::parse_window(options.window);
  if (std::holds_alternative<dump::RegionWindow>(window))
    throw UserError(
        fmt::format("--window {}: nodes have no windows of regions; expected cycles=A:B, pc=0xADDR[:N] or "
                    "message=RANK.NUMBER[:N]",
                    options.window));
  std::unique_ptr<NodeDump> result(new NodeDump);
  ObservedCore& core = result->core_;
  core.observer = &result->dump_;
  if (const auto* const message = std::get_if<dump::MessageWindow>(&window)) {
    const std::uint32_t ranks = scenario.nodes * scenario.ranks();
    if (message->rank >= ranks)
      throw UserError(
          fmt::format("--window {}: rank = {}; expected 0 to {}", options.window, message->rank, ranks - 1));
    core.rank = message->rank, core.number = message->number;
    core.node = message->rank / scenario.ranks();
    core.core = message->rank % scenario.ranks() * (scenario.node.node.cores / scenario.ranks());
    result->message_ = fmt::format("{}.{}", message->rank, message->number);
    core.at_end = [&dump = result->dump_](std::uint64_t cycle) { dump.open_message(cycle); };
  }
  if (!options.node.empty()) std::tie(core.node, core.core) = dumped_core(options.node, scenario);
  if (!options.kanata.empty())
    result->dump_.add_output(window, std::make_unique<dump::KanataWriter>(options.kanata, assembly));
  if (shown) {
    result->stages_.emplace();
    result->stages_->window = dump::to_string(window);
    result->dump_.add_output(window, std::make_unique<report::StageCollector>(*result->stages_, assembly));
  }
  return result;
}

void NodeDump::add_to(nlohmann::ordered_json& page) const {
  if (!stages_) return;
  page["stages"] = stages_->json();
  if (!message_.empty()) page["stages_of"] = message_;
}

ObservedCore NodeDump::core() { return core_; }

void NodeDump::finish() {
  for (const std::string& note : dump_.finish())
    console::log("psim: node {}, core {}: {}\n", core_.node, core_.core, note);
}

}  // namespace psim::commands
