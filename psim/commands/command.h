// SPDX-License-Identifier: Apache-2.0
// A command of psim: one file each in this folder. To add one, copy config.cpp, name it below and in
// commands.cpp.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "machines/machine_choice.h"

namespace psim::commands {

struct Command {
  const char* name;
  const char* usage;     ///< what follows "psim NAME [OPTIONS]", e.g. "PROG [ARG…]"
  const char* summary;   ///< one line of `psim --help`
  const char* examples;  ///< whole lines, below the options of `psim NAME --help`
  /// Declares the options on `app` and returns what to do once they are parsed; that returns the exit status
  /// and may throw UserError. Options live in what the returned function captures.
  std::function<int()> (*setup)(CLI::App& app);
};

// The commands, each defined in its file; a new one is named here and in the table of commands.cpp.
extern const Command kAsm;
extern const Command kConfig;
extern const Command kCosim;
extern const Command kDiff;
extern const Command kDis;
extern const Command kEnergy;
extern const Command kExec;
extern const Command kNet;
extern const Command kReplay;
extern const Command kReproduce;
extern const Command kRun;
extern const Command kStatistics;
extern const Command kTrace;
extern const Command kView;

/// Lets each option of `app` and of its subcommands take one value per occurrence, unless the name of its
/// value ends with an ellipsis. The program's name, which follows the options, is then never taken for a
/// further value.
void take_one_value_each(CLI::App& app);

/// What most commands share. A command offers only those that mean something to it.
struct CommonOptions : MachineChoice {
  std::string json;        ///< --json FILE; empty: none; "-": standard output
  std::string report;      ///< --report FILE.html; empty: none
  std::uint64_t seed = 1;  ///< --seed N
  bool quiet = false;      ///< --quiet: nothing on stderr but errors
};
enum Common : unsigned { kMachine = 1, kJson = 2, kReport = 4, kSeed = 8, kQuiet = 16 };
/// `which` is an or of Common; kMachine brings --set too. `options` must outlive the parse.
void add_common(CLI::App& app, CommonOptions& options, unsigned which);

/// Checks of option values: a file's name is not empty; a whole number is `least` … 2^64 - 1, without sign.
CLI::Validator file_name();
CLI::Validator whole_number(std::uint64_t least);

/// The command takes "PROG [ARG…]": options of psim end at PROG, everything after is the guest's.
void take_program(CLI::App& app);
/// PROG and its arguments after the parse. Throws UserError if there is none, or an option of psim's is
/// misspelt.
std::vector<std::string> program_of(const CLI::App& app);

}  // namespace psim::commands
