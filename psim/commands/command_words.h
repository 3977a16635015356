// SPDX-License-Identifier: Apache-2.0
// The words of psim's command line as plain data, read from the parser: commands, options, and the form of
// their values. Completion scripts and manual pages are made from it.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace psim {

/// The kind of a value, as far as a shell can complete it.
enum class WordKind : unsigned char {
  None,        ///< a flag: no value
  Text,        ///< numbers and names that a shell cannot know
  File,        ///< a path
  Folder,      ///< a path of a folder
  Choice,      ///< one of OptionWords::choices
  Machine,     ///< a shipped machine, or a path
  CoreKey,     ///< KEY=VALUE, or KEY, of a core machine
  NetworkKey,  ///< the same of a network machine
  Experiment,  ///< a name of psim reproduce
};

struct OptionWords {
  std::vector<std::string> names;    ///< "-o", "--out"; empty for an argument without option
  std::string value;                 ///< "FILE"; empty for a flag
  std::string text;                  ///< the meaning
  std::string group;                 ///< the heading in --help
  std::vector<std::string> choices;  ///< of WordKind::Choice
  WordKind kind = WordKind::None;
  bool repeats = false;
};

struct CommandWords {
  std::string name;  ///< "psim config show"
  std::string last;  ///< "show"
  std::string text, usage, footer, heading;
  bool takes_program = false;  ///< all words after the first that is no option belong to a program
  std::vector<OptionWords> options, arguments;
  std::vector<CommandWords> commands;
};

/// Returns the words of `app` and of its subcommands.
CommandWords command_words(const CLI::App& app);

}  // namespace psim
