// SPDX-License-Identifier: Apache-2.0
// A command of psim; each has its own file in this folder. To add one, copy statistics.cpp and name the
// command below and in commands.cpp.
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
  const char* usage;     ///< the text after "psim NAME [OPTIONS]", e.g. "PROG [ARG…]"
  const char* summary;   ///< one line of `psim --help`
  const char* examples;  ///< whole lines, printed below the options in `psim NAME --help`
  /// Declares the options on `app` and returns the action to run after the parse. The action returns the exit
  /// status and may throw UserError. The returned function owns the options.
  std::function<int()> (*setup)(CLI::App& app);
};

// The commands, each defined in its file. A new one is also named in the table of commands.cpp.
extern const Command kAsm;
extern const Command kCalibrate;
extern const Command kCompare;
extern const Command kCompletion;
extern const Command kConfig;
extern const Command kCosim;
extern const Command kDiff;
extern const Command kDis;
extern const Command kEnergy;
extern const Command kExec;
extern const Command kFit;
extern const Command kManual;
extern const Command kNet;
extern const Command kPredict;
extern const Command kReplay;
extern const Command kReportCommand;
extern const Command kReproduce;
extern const Command kRoofline;
extern const Command kRun;
extern const Command kSchema;
extern const Command kShow;
extern const Command kStatistics;
extern const Command kTrace;
extern const Command kView;

/// Lets each option of `app` and of its subcommands take one value per occurrence, unless the name of its
/// value ends with an ellipsis. The program's name, which follows the options, is then never read as a
/// further value.
void take_one_value_each(CLI::App& app);

/// Lets each option of `app` and of its subcommands refuse an empty value, as an unset variable of a shell
/// leaves it, and each file that a command must have. Options whose values are texts of the user's own (TEXT,
/// ARGS, FLAGS) accept it.
void refuse_empty_values(CLI::App& app);

/// Options that most commands share. A command offers only those that apply to it.
struct CommonOptions : MachineChoice {
  std::string json;        ///< --json FILE; empty: none; "-": standard output
  std::string report;      ///< --report FILE.html; empty: none
  std::uint64_t seed = 1;  ///< --seed N
  bool quiet = false;      ///< --quiet: nothing on stderr but errors
};
enum Common : unsigned { kMachine = 1, kJson = 2, kReport = 4, kSeed = 8, kQuiet = 16 };
/// Adds the options in `which`, a bitwise or of Common; kMachine adds --set too. `options` must outlive the
/// parse.
void add_common(CLI::App& app, CommonOptions& options, unsigned which);

/// Adds --no-memoize, which makes `memoize` false.
void add_no_memoize(CLI::App& app, bool& memoize);

/// Returns a check that a value is a whole number without sign, `least` … `most`.
CLI::Validator whole_number(std::uint64_t least, std::uint64_t most = ~std::uint64_t{0});

/// Returns a check that a value is a number, `least` … `most`. CLI::Range accepts "nan".
CLI::Validator number_in(double least, double most);

/// Declares "PROG [ARG…]": options of psim end at PROG; all words after it belong to the guest.
void take_program(CLI::App& app);
/// Returns PROG and its arguments after the parse. Throws UserError if there is none, or an option of psim is
/// misspelt.
std::vector<std::string> program_of(const CLI::App& app);

}  // namespace psim::commands
