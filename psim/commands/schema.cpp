// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "base/console.h"
#include "machines/machine.h"
#include "machines/network_machine.h"
#include "psim/commands/command.h"
#include "psim/schemas/machine_file_schema.h"
#include "psim/schemas/result_schema.h"
#include "report/messages/message_json.h"

namespace psim::commands {
namespace {

int print_schema(const std::string& subject) {
  nlohmann::ordered_json schema;
  if (subject == "core")
    schema = machine_file_schema(Machine().schema, "Machine file of psim: a core");
  else if (subject == "network")
    schema = machine_file_schema(NetworkMachine().schema, "Machine file of psim: a network");
  else if (subject == "messages")
    schema = message_schema();
  else
    schema = result_schema();
  console::print("{}\n", schema.dump(1));
  return 0;
}

std::function<int()> set_up_schema(CLI::App& app) {
  auto subject = std::make_shared<std::string>();
  app.add_option("SUBJECT", *subject,
                 "core or network: files of these machines; result: results of --json; messages: "
                 "files of psim cosim --messages")
      ->required()
      ->check(CLI::IsMember({"core", "network", "result", "messages"}));
  return [subject] { return print_schema(*subject); };
}

}  // namespace

const Command kSchema{
    .name = "schema",
    .usage = "core|network|result|messages",
    .summary = "print a JSON schema of machine files, of results or of timelines of messages",
    .examples =
        "  psim schema core > core.schema.json          # for editors that complete TOML: docs/shell.md\n"
        "  psim schema network > network.schema.json\n"
        "  psim schema result > result.schema.json\n"
        "  psim schema messages > messages.schema.json\n",
    .setup = set_up_schema,
};

}  // namespace psim::commands
