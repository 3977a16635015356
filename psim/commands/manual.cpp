// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "base/console.h"
#include "base/error.h"
#include "base/output_file.h"
#include "psim/commands/command.h"
#include "psim/points.h"
#include "psim/shell/manual_page.h"

namespace psim::commands {
namespace {

struct ManualOptions {
  std::string command, folder;
};

int print_manual_page(const CLI::App& app, const ManualOptions& options) {
  const CommandWords psim = command_words(*app.get_parent());
  if (!options.folder.empty()) {
    create_point_folder(options.folder, "--into");
    for (const auto& [name, text] : manual_pages(psim)) {
      OutputFile file(options.folder + "/" + name, "--into");
      file.write(text);
      file.commit();
    }
    return 0;
  }
  if (options.command.empty()) {
    console::print("{}", manual_page(psim));
    return 0;
  }
  std::vector<std::string> names;
  for (const CommandWords& command : psim.commands) {
    names.push_back(command.last);
    if (command.last != options.command) continue;
    console::print("{}", manual_page(psim, command));
    return 0;
  }
  const std::string near = nearest(options.command.substr(0, 100), names);
  throw UserError(fmt::format("manual: unknown command {}; {}", options.command,
                              near.empty() ? "see `psim --help`" : fmt::format("did you mean {}?", near)));
}

std::function<int()> set_up_manual(CLI::App& app) {
  auto options = std::make_shared<ManualOptions>();
  app.add_option("COMMAND", options->command, "command whose page to print [psim itself]");
  app.add_option("--into", options->folder, "write all pages to this folder: psim.1, psim-run.1 …")
      ->type_name("FOLDER");
  return [&app, options] { return print_manual_page(app, *options); };
}

}  // namespace

const Command kManual{
    .name = "manual",
    .usage = "[COMMAND]",
    .summary = "print the manual page of psim or of a command, for man",
    .examples =
        "  psim manual run | man -l -\n"
        "  psim manual --into ~/.local/share/man/man1\n",
    .setup = set_up_manual,
};

}  // namespace psim::commands
