// SPDX-License-Identifier: Apache-2.0
#include "psim/shell/completion.h"

#include <memory>
#include <sstream>

#include "base/config/machine_files.h"
#include "base/console.h"
#include "machines/machine.h"
#include "machines/network_machine.h"
#include "papers/experiment.h"
#include "psim/commands/command.h"

namespace psim::commands {
namespace {

struct CompletionOptions {
  std::string shell, line;
};

std::vector<std::string> words_of(WordKind kind) {
  std::vector<std::string> words;
  const auto add_keys = [&](const Schema& schema) {
    for (const Field& field : schema.fields()) words.push_back(field.key);
  };
  if (kind == WordKind::Machine) words = machine_names();
  if (kind == WordKind::CoreKey) add_keys(Machine().schema);
  if (kind == WordKind::NetworkKey) add_keys(NetworkMachine().schema);
  if (kind == WordKind::Experiment)
    for (const reproduce::Experiment* experiment : reproduce::experiments())
      words.emplace_back(experiment->name);
  return words;
}

int complete(const CLI::App& app, const CompletionOptions& options) {
  if (!options.line.empty()) {
    std::vector<std::string> words;
    std::istringstream lines(options.line);
    for (std::string word; std::getline(lines, word);) words.push_back(word);
    console::print("{}", text_of(psim::complete(command_words(*app.get_parent()), words, words_of)));
    return 0;
  }
  if (options.shell.empty()) throw UserError("completion: the shell is missing; expected bash, zsh or fish");
  console::print("{}", completion_script(options.shell));
  return 0;
}

std::function<int()> set_up_completion(CLI::App& app) {
  auto options = std::make_shared<CompletionOptions>();
  app.add_option("SHELL", options->shell, "bash, zsh or fish")->check(CLI::IsMember({"bash", "zsh", "fish"}));
  app.add_option("--line", options->line,
                 "print what completes the last of these words after psim, as the scripts do; a line each")
      ->type_name("WORDS");
  return [&app, options] { return complete(app, *options); };
}

}  // namespace

const Command kCompletion{
    .name = "completion",
    .usage = "bash|zsh|fish",
    .summary = "print a script that completes psim's commands, options, machines and keys in a shell",
    .examples =
        "  source <(psim completion bash)               # in ~/.bashrc\n"
        "  source <(psim completion zsh)                # in ~/.zshrc, after compinit\n"
        "  psim completion fish > ~/.config/fish/completions/psim.fish\n",
    .setup = set_up_completion,
};

}  // namespace psim::commands
