// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/config/machine_files.h"
#include "base/console.h"
#include "machines/machine.h"
#include "machines/network_machine.h"
#include "papers/experiment.h"
#include "psim/commands/command.h"
#include "psim/commands/command_words.h"

namespace psim::commands {
namespace {

// The script of a shell passes the words to `psim completion --line` and offers what that prints.

/// The offer of a shell for the last word of a command line.
struct Completion {
  enum class Kind : unsigned char {
    Words,    ///< these words alone
    Keys,     ///< these words, which go on with "="
    Files,    ///< these words, and names of files
    Folders,  ///< names of folders
  };
  Kind kind = Kind::Words;
  std::vector<std::pair<std::string, std::string>> words;  ///< with their meaning
};

/// The words with "=" and its neighbours as one.
std::vector<std::string> joined(std::span<const std::string> line) {
  std::vector<std::string> words;
  for (const std::string& word : line)
    if (!words.empty() && (word == "=" || words.back().ends_with('=')))
      words.back() += word;
    else
      words.push_back(word);
  return words;
}

const OptionWords* option_of(const CommandWords& command, const std::string& name) {
  for (const OptionWords& option : command.options)
    if (std::ranges::find(option.names, name) != option.names.end()) return &option;
  return nullptr;
}

/// Returns a text up to its first full stop, semicolon or bracket.
std::string short_text(const std::string& text) {
  return text.substr(0, std::min({text.find("; "), text.find(" ["), text.find(". "), text.find('\n')}));
}

/// Collects what begins with the last word.
class Offer {
 public:
  Offer(std::string begin, const std::function<std::vector<std::string>(WordKind)>& list)
      : begin_(std::move(begin)), list_(list) {}

  void add(const std::string& word, const std::string& text = "") {
    if (word.starts_with(begin_)) made.words.emplace_back(word, short_text(text));
  }
  void add_value(const OptionWords& option) {
    const std::vector<std::string> words = option.kind == WordKind::Choice  ? option.choices
                                           : option.kind < WordKind::Choice ? std::vector<std::string>{}
                                                                            : list_(option.kind);
    for (const std::string& word : words) add(word);
    if (option.kind == WordKind::File || option.kind == WordKind::Machine)
      made.kind = Completion::Kind::Files;
    if (option.kind == WordKind::Folder) made.kind = Completion::Kind::Folders;
    if ((option.kind == WordKind::CoreKey || option.kind == WordKind::NetworkKey) && !option.names.empty())
      made.kind = Completion::Kind::Keys;
  }
  Completion made;

 private:
  std::string begin_;
  const std::function<std::vector<std::string>(WordKind)>& list_;
};

constexpr std::string_view kBash = R"SH(# bash completion for psim, made by `psim completion bash`
_psim() {
  local IFS=$'\n' all
  mapfile -t all < <("${COMP_WORDS[0]/#\~/$HOME}" completion --line="${COMP_WORDS[*]:1:COMP_CWORD}"$'\n' 2>/dev/null)
  COMPREPLY=("${all[@]:1}")
  COMPREPLY=("${COMPREPLY[@]%%$'\t'*}")
  case ${all[0]} in  # without COMPREPLY bash completes names of files
    files) ;;
    folders) compopt -o dirnames ;;
    keys) compopt -o nospace +o default ;;
    *) compopt +o default ;;
  esac 2>/dev/null
}
complete -o default -F _psim psim
)SH";

constexpr std::string_view kZsh = R"SH(#compdef psim
# zsh completion for psim, made by `psim completion zsh`
_psim() {
  local -a all names shown
  all=("${(@f)$(psim completion --line="${(pj:\n:)words[2,CURRENT]}"$'\n' 2>/dev/null)}")
  names=(${${(@)all[2,-1]}%%$'\t'*})
  shown=(${${(@)all[2,-1]}/$'\t'/  -- })
  compset -P 1 '-*='
  case $all[1] in
    files) compadd -a names; _files ;;
    folders) _files -/ ;;
    keys) compadd -S '=' -a names ;;
    *) compadd -l -d shown -a names ;;
  esac
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _psim "$@"
else
  compdef _psim psim
fi
)SH";

constexpr std::string_view kFish = R"SH(# fish completion for psim, made by `psim completion fish`
function __psim_complete
    set -l last "$(commandline -ct)"
    set -l all (psim completion --line=(string join \n -- (commandline -opc)[2..] $last | string collect -N) 2>/dev/null)
    set -l before (string match -r -- '^-.*=' $last)
    switch $all[1]
        case files
            __fish_complete_path (string replace -r -- '^-.*=' '' $last)
        case folders
            __fish_complete_directories (string replace -r -- '^-.*=' '' $last)
    end
    for word in $all[2..]
        echo "$before$word"
    end
end
complete -c psim -f -a '(__psim_complete)'
)SH";

/// Completes the last of the words that follow "psim". Of --OPTION=VALUE the value is completed. "=" may be a
/// word of its own, as in bash. `list` returns the words of a kind that is a list.
Completion complete(const CommandWords& psim, std::span<const std::string> line,
                    const std::function<std::vector<std::string>(WordKind)>& list) {
  const std::vector<std::string> words = joined(line);
  const std::string last = words.empty() ? "" : words.back();
  const std::size_t sign = last.find('=');
  const CommandWords* command = &psim;
  const OptionWords* open = nullptr;  // an option whose value is the next word
  std::size_t arguments = 0;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const auto sub = std::ranges::find(command->commands, words[i], &CommandWords::last);
    if (open != nullptr) {
      open = nullptr;
    } else if (words[i].starts_with('-')) {
      open = option_of(*command, words[i]);
      if (open != nullptr && open->kind == WordKind::None) open = nullptr;
    } else if (sub != command->commands.end()) {
      command = &*sub;
    } else if (command->takes_program) {
      return {.kind = Completion::Kind::Files, .words = {}};  // words of the program
    } else {
      ++arguments;
    }
  }
  if (open == nullptr && last.starts_with('-') && sign != std::string::npos) {
    Offer offer(last.substr(sign + 1), list);
    if (const OptionWords* option = option_of(*command, last.substr(0, sign))) offer.add_value(*option);
    return offer.made;
  }
  Offer offer(last, list);
  if (open != nullptr) {
    offer.add_value(*open);
  } else if (last.starts_with('-')) {
    for (const OptionWords& option : command->options)
      for (const std::string& name : option.names) offer.add(name, option.text);
  } else if (!command->commands.empty()) {
    for (const CommandWords& sub : command->commands) offer.add(sub.last, sub.text);
  } else if (command->takes_program) {
    offer.made.kind = Completion::Kind::Files;
  } else if (!command->arguments.empty()) {
    offer.add_value(command->arguments[std::min(arguments, command->arguments.size() - 1)]);
  }
  return offer.made;
}

/// Returns the kind, and then each word with a tab before its meaning, one per line.
std::string text_of(const Completion& completion) {
  constexpr std::string_view kKinds[] = {"words", "keys", "files", "folders"};
  std::string text = std::string(kKinds[static_cast<std::size_t>(completion.kind)]) + "\n";
  for (const auto& [word, meaning] : completion.words)
    text += word + (meaning.empty() ? "" : "\t" + meaning) + "\n";
  return text;
}

/// Returns the script of "bash", "zsh" or "fish".
std::string_view completion_script(std::string_view shell) {
  return shell == "bash" ? kBash : shell == "zsh" ? kZsh : kFish;
}

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
    console::print("{}", text_of(complete(command_words(*app.get_parent()), words, words_of)));
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
