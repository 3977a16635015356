// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/console.h"
#include "base/error.h"
#include "base/printable.h"
#include "base/result_document.h"
#include "psim/commands/command.h"
#include "psim/commands/spelling.h"

namespace psim::commands {

namespace {

// The order, and the headings of tasks, are those of `psim --help`.
struct Task {
  const char* heading;
  std::vector<const Command*> commands;
};
const std::vector<Task>& tasks() {
  static const std::vector<Task> all{
      {"Run a program on a core", {&kExec, &kRun, &kReplay, &kTrace}},
      {"Run programs on a network", {&kNet, &kCosim, &kPredict}},
      {"Make models and machines", {&kFit, &kCalibrate, &kConfig}},
      {"Look at results",
       {&kShow, &kReportCommand, &kView, &kDiff, &kCompare, &kRoofline, &kEnergy, &kStatistics, &kReproduce}},
      {"Write and read machine code", {&kAsm, &kDis}},
      {"Use psim in shells, editors and scripts", {&kCompletion, &kManual, &kSchema}}};
  return all;
}

/// Returns lines of at most `width` characters, broken at spaces. A longer word has a line of its own.
std::string wrapped(std::string_view text, std::size_t width) {
  std::string lines;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    const std::size_t length = characters(word);
    const bool breaks = column != 0 && column + 1 + length > width;
    if (column != 0) lines += breaks ? '\n' : ' ';
    column = breaks || column == 0 ? length : column + 1 + length;
    lines += word;
  }
  return lines;
}

/// Formats help. CLI11's own formatter omits the arguments of commands that take a program from the usage
/// line, puts two empty lines between groups, and wraps no lines.
class Formatter : public CLI::Formatter {
 public:
  explicit Formatter(const Command* command) : command_(command) { column_width(kColumn); }
  std::string make_group(std::string group, bool is_positional,
                         std::vector<const CLI::Option*> options) const override {
    const std::string text = CLI::Formatter::make_group(group, is_positional, options);
    return is_positional || group == "Options" ? text : text.substr(1);
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    return wrapped(CLI::Formatter::make_option_desc(option), kWidth - kColumn);
  }
  std::string make_usage(const CLI::App* app, std::string name) const override {
    if (command_ == nullptr || app->get_name() != command_->name)
      return CLI::Formatter::make_usage(app, name);
    return fmt::format("Usage: psim {} [OPTIONS] {}\n", command_->name, command_->usage);
  }

 private:
  static constexpr std::size_t kColumn = 34, kWidth = 120;
  const Command* command_;
};

void complain(std::string_view lines) {
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    console::log("psim: {}\n", lines.substr(0, end));
    lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
  }
}

/// Returns true for the name of a command, so that an unknown first word gets a better message than CLI11's.
bool known_command(std::string_view word) {
  std::vector<std::string> names;
  for (const Task& task : tasks())
    for (const Command* command : task.commands) names.emplace_back(command->name);
  for (const std::string& name : names)
    if (name == word) return true;
  const std::string near = nearest(word.substr(0, 100), names);
  complain(fmt::format("unknown command {}; {}", word,
                       near.empty() ? "see `psim --help`" : fmt::format("did you mean psim {}?", near)));
  return false;
}

/// Returns the command of this name under another one; null: there is none.
const CLI::App* subcommand(const CLI::App& command, const std::string& name) {
  const auto under = command.get_subcommands([&](const CLI::App* sub) { return sub->check_name(name); });
  return under.empty() ? nullptr : under.front();
}

/// Returns the command that needs the name of another command and has none ("psim", "psim config"), or null.
const CLI::App* without_command(const CLI::App& psim, int argc, char** argv) {
  const CLI::App* command = &psim;
  for (int i = 1; i < argc; ++i) {
    command = subcommand(*command, argv[i]);
    if (command == nullptr) return nullptr;
  }
  return command->get_require_subcommand_min() != 0 ? command : nullptr;
}

/// Returns a message about the first word that is neither a command nor an option where a command belongs, as
/// in "psim trace inof" or "psim -v"; empty if there is none.
std::string unknown_word(const CLI::App& psim, int argc, char** argv) {
  const CLI::App* command = &psim;
  for (int i = 1; i < argc && command->get_require_subcommand_min() != 0; ++i) {
    const std::string word = argv[i];
    if (const CLI::App* sub = subcommand(*command, word)) {
      command = sub;
      continue;
    }
    if (command->get_option_no_throw(word) != nullptr) continue;
    if (command == &psim) return fmt::format("unknown option {}; see `psim --help`", word);
    if (word.starts_with('-')) return unknown_option(*command, word);
    std::vector<std::string> names;
    for (const CLI::App* sub : command->get_subcommands({})) names.push_back(sub->get_name());
    return fmt::format("{}: unknown command {}; expected one of {}", full_name(*command), word,
                       fmt::join(names, ", "));
  }
  return "";
}

/// Returns a message about an option whose value is missing, as in "psim net -n --quiet" or "psim net -n",
/// and about mpirun's -np, which reads as -n with the value p. Returns an empty text if there is none.
std::string missing_value(const CLI::App& psim, int argc, char** argv) {
  const CLI::App* command = &psim;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (const CLI::App* sub = subcommand(*command, word)) {
      command = sub;
      continue;
    }
    if (!word.starts_with('-') || word == "--")  // the program, with its own options
      return after_a_flag(*command, argv[i - 1], word, i + 1 < argc ? argv[i + 1] : "");
    if (word == "-np" && command->get_option_no_throw("-n") != nullptr)
      return fmt::format("{}: unknown option -np; did you mean -n?", full_name(*command));
    const CLI::Option* option = command->get_option_no_throw(word);
    if (option == nullptr || option->get_expected_max() == 0) continue;
    const std::string described = option->get_type_name();  // "N:UINT in [1 - 9]": the name and its check
    const std::string type = described.substr(0, described.find(':'));
    if (++i == argc || std::string_view(argv[i]) == "--")
      return fmt::format("{}: {}: the value {} is missing", full_name(*command), word, type);
    const std::string next = argv[i];
    if (next.starts_with('-') && command->get_option_no_throw(next) != nullptr)
      return fmt::format("{}: {} {}: the value {} is missing; {} is an option", full_name(*command), word,
                         next, type, next);
  }
  return "";
}

/// Returns the command of this name, whose options alone are needed; null: those of all commands are, or
/// there is none of this name. The options of the others take a tenth of the start.
const Command* only_command(std::string_view name) {
  for (const Task& task : tasks())
    for (const Command* command : task.commands)
      if (command->name == name && command != &kCompletion && command != &kManual) return command;
  return nullptr;
}

/// Returns the place of the "--" between a command's options and the program that it takes; argc if there is
/// none.
int program_mark(const CLI::App& psim, int argc, char** argv) {
  const CLI::App* command = &psim;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (const CLI::App* sub = subcommand(*command, word)) {
      command = sub;
      continue;
    }
    if (word == "--") return command->get_prefix_command() ? i : argc;
    if (!word.starts_with('-')) return argc;
    const CLI::Option* option = command->get_option_no_throw(word);
    if (option != nullptr && option->get_expected_max() != 0) ++i;  // its value
  }
  return argc;
}

/// Options whose value is a FILE that the command reads. The FILE of any other option is written.
constexpr std::string_view kRead[] = {"--jobs",      "--replay",    "--program", "--core",
                                      "--from-text", "--from-warm", "--matrix"};

bool same_file(const std::string& a, const std::string& b) {
  namespace fs = std::filesystem;
  std::error_code none;
  if (a == "-" || b == "-") return false;
  if (fs::exists(a, none) && fs::exists(b, none))
    return fs::is_regular_file(a, none) && fs::equivalent(a, b, none);
  return fs::absolute(a, none).lexically_normal() == fs::absolute(b, none).lexically_normal();
}

/// Throws UserError if an option names a file to write that the command reads, or that another option names.
void check_files(const CLI::App& command) {
  struct Output {
    std::string option, path;
  };
  std::vector<Output> outputs;
  std::vector<std::string> inputs;
  std::error_code none;
  for (const CLI::Option* option : command.get_options()) {
    const std::string value = option->get_type_name();
    const bool file = value.find("FILE") != value.npos;
    const bool reads = !option->nonpositional() || value.starts_with("RESULT") ||
                       (file && (value.find("NAME") != value.npos ||
                                 std::ranges::find(kRead, option->get_name()) != std::end(kRead)));
    for (const std::string& path : option->results())
      if (reads)
        inputs.push_back(path);
      else if (file)
        outputs.push_back({option->get_name(), path});
  }
  for (const std::string& word : command.remaining()) {
    if (word == "--") continue;
    inputs.push_back(word);  // the program
    break;
  }
  for (auto output = outputs.begin(); output != outputs.end(); ++output) {
    for (auto other = outputs.begin(); other != output; ++other)
      if ((output->path == "-" && other->path == "-") || same_file(output->path, other->path))
        throw UserError(fmt::format("{} and {} name the same file, {}; expected one each", other->option,
                                    output->option, output->path));
    for (const std::string& input : inputs)
      if (std::filesystem::exists(input, none) && same_file(output->path, input))
        throw UserError(fmt::format("{} {}: is a file that this command reads; expected another file",
                                    output->option, output->path));
  }
}

constexpr int kInternalStatus = 70;

/// Prints the help or version with which a parse ended.
int print_page(const CLI::App& app, const CLI::ParseError& end) {
  std::ostringstream page;
  const int status = app.exit(end, page, page);
  console::write(page.str());
  console::finish();
  return status;
}

}  // namespace

void take_one_value_each(CLI::App& app) {
  for (CLI::Option* option : app.get_options([](const CLI::Option* one) { return one->nonpositional(); }))
    if (!option->get_type_name().ends_with("…")) option->allow_extra_args(false);
  for (CLI::App* sub : app.get_subcommands({})) take_one_value_each(*sub);
}

void refuse_empty_values(CLI::App& app) {
  for (CLI::Option* option : app.get_options({})) {
    const std::string described = option->nonpositional() ? option->get_type_name() : "the name of a file";
    const std::string value = described.substr(0, described.find(':'));
    if (option->get_expected_max() == 0 || value == "TEXT" || value == "ARGS" || value == "FLAGS") continue;
    if (!option->nonpositional() && !option->get_required()) continue;
    option->check(CLI::Validator(
        [value](const std::string& text) {
          return text.empty() ? fmt::format("is empty; expected {}", value) : std::string();
        },
        ""));
  }
  for (CLI::App* sub : app.get_subcommands({})) refuse_empty_values(*sub);
}

int guarded(const std::function<int()>& action) {
  try {
    return action();
  } catch (const UserError& error) {
    complain(error.what());
    return 2;
  } catch (const std::bad_alloc&) {
    complain("this host does not have the memory that the run needs");
    return 2;
  } catch (const std::exception& error) {
    complain(fmt::format("internal error: {}", error.what()));
    return kInternalStatus;
  }
}

int run(int argc, char** argv) {
  CLI::App app{"psim: see how a supercomputer will behave before it is built", "psim"};
  app.set_version_flag("--version", fmt::format("psim {}", version()));
  app.set_help_flag("-h,--help", "this text");
  app.require_subcommand(1);
  app.formatter(std::make_shared<Formatter>(nullptr));
  app.footer(
      "`psim COMMAND --help` explains a command; `psim config list` lists the machines.\n"
      "An invalid option, file or configuration ends psim with status 2 and lines that begin with "
      "\"psim:\".");
  std::function<int()> action;
  const Command* const only = only_command(argc > 1 ? argv[1] : "");
  for (const Task& task : tasks())
    for (const Command* command : task.commands) {
      CLI::App* sub = app.add_subcommand(command->name, command->summary);
      sub->formatter(std::make_shared<Formatter>(command));
      sub->footer(fmt::format("Examples:\n{}", command->examples));
      sub->group(task.heading);
      if (only == nullptr || command == only)
        sub->parse_complete_callback([&action, run = command->setup(*sub)] { action = run; });
    }
  take_one_value_each(app);
  refuse_empty_values(app);
  // "psim help COMMAND…" is "psim COMMAND… --help".
  std::vector<char*> words(argv, argv + argc);
  std::string help = "--help";
  if (argc > 1 && std::string_view(argv[1]) == "help") {
    words.erase(words.begin() + 1);
    words.push_back(help.data());
    words.push_back(nullptr);
    argv = words.data();
  }
  if (argc > 1 && argv[1][0] != '-' && !known_command(argv[1])) return 2;
  if (const std::string unknown = unknown_word(app, argc, argv); !unknown.empty()) {
    complain(unknown);
    return 2;
  }
  if (const CLI::App* command = without_command(app, argc, argv)) {
    console::log_text(command->help());
    return 2;
  }
  if (const std::string missing = missing_value(app, argc, argv); !missing.empty()) {
    complain(missing);
    return 2;
  }
  // CLI11 ends a subcommand at "--". Without it, a program whose name begins with - needs a folder.
  std::string program;
  std::vector<char*> unmarked(argv, argv + argc);
  if (const int mark = program_mark(app, argc, argv); mark < argc) {
    const auto at = unmarked.erase(unmarked.begin() + mark);
    --argc;
    if (at != unmarked.end() && (*at)[0] == '-') {
      program = std::string("./") + *at;
      *at = program.data();
    }
    unmarked.push_back(nullptr);
    argv = unmarked.data();
  }
  try {
    app.parse(argc, argv);
    return guarded([&] {
      const CLI::App* command = &app;
      while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
      if (command->get_name() != "report") check_files(*command);  // it reads folders, and has its own check
      const int status = action ? action() : 0;
      for (const std::string& words : late_options(*command))
        console::log("psim: warning: the program got {}; options of psim stand before the program\n", words);
      console::finish();
      return status;
    });
  } catch (const CLI::ExtrasError& error) {
    const CLI::App* sub = &app;
    while (!sub->get_subcommands().empty()) sub = sub->get_subcommands().front();
    const std::vector<std::string> extra = app.remaining(true);
    complain(extra.empty() ? error.what() : unknown_option(*sub, extra.front()));
  } catch (const CLI::ArgumentMismatch& error) {  // "--json: At Most 1 required but received 2"
    const std::string_view text = error.what();
    const std::size_t at = text.find(": At Most 1 required");
    complain(at == text.npos ? std::string(text)
                             : fmt::format("{}: is given more than once", text.substr(0, at)));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return guarded([&] { return print_page(app, error); });
    complain(error.what());
  } catch (const UserError& error) {
    complain(error.what());
  }
  return 2;
}

}  // namespace psim::commands
