// SPDX-License-Identifier: Apache-2.0
#include "psim/shell/completion.h"

#include <memory>

#include "base/config/machine_files.h"
#include "base/console.h"
#include "machines/machine.h"
#include "machines/network_machine.h"
#include "papers/experiment.h"
#include "psim/commands/command.h"

namespace psim::commands {
namespace {

struct CompletionOptions {
  std::string shell, words;
};

void print_keys(const Schema& schema) {
  for (const Field& field : schema.fields()) console::print("{}\n", field.key);
}

int print_words(const std::string& kind) {
  if (kind == "machines") {
    for (const std::string& name : machine_names()) console::print("{}\n", name);
  } else if (kind == "core-keys") {
    print_keys(Machine().schema);
  } else if (kind == "network-keys") {
    print_keys(NetworkMachine().schema);
  } else {
    for (const reproduce::Experiment* experiment : reproduce::experiments())
      console::print("{}\n", experiment->name);
  }
  return 0;
}

int complete(const CLI::App& app, const CompletionOptions& options) {
  if (!options.words.empty()) return print_words(options.words);
  if (options.shell.empty()) throw UserError("completion: the shell is missing; expected bash, zsh or fish");
  const CommandWords psim = command_words(*app.get_parent());
  const auto script = options.shell == "bash"  ? bash_completion
                      : options.shell == "zsh" ? zsh_completion
                                               : fish_completion;
  console::print("{}", script(psim));
  return 0;
}

std::function<int()> set_up_completion(CLI::App& app) {
  auto options = std::make_shared<CompletionOptions>();
  app.add_option("SHELL", options->shell, "bash, zsh or fish")->check(CLI::IsMember({"bash", "zsh", "fish"}));
  app.add_option("--words", options->words, "print the words of this kind, one per line, as the scripts do")
      ->type_name("KIND")
      ->check(CLI::IsMember({"machines", "core-keys", "network-keys", "experiments"}));
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
