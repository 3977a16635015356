// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/console.h"
#include "base/error.h"
#include "base/output_file.h"
#include "base/result_document.h"
#include "psim/commands/command.h"
#include "psim/commands/command_words.h"
#include "psim/points.h"

namespace psim::commands {
namespace {

// Manual pages in man(7) form, made from the same words as --help.

/// Escapes a text for roff: backslashes, hyphens, and characters that begin a request at the start of a line.
std::string roff(std::string_view text) {
  std::string out;
  bool start = true;
  for (const char c : text) {
    if (start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
    start = c == '\n';
  }
  return out;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string page_name(const CommandWords& command) {
  std::string name = command.name;
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string head(const std::string& name, const std::string& text) {
  return fmt::format(".TH {} 1 \"\" \"psim {}\" \"psim\"\n.SH NAME\n{} \\- {}\n", upper(roff(name)),
                     version(), roff(name), roff(text));
}

std::string verbatim(std::string_view text) { return fmt::format(".nf\n{}\n.fi\n", roff(text)); }

std::string page_heading(std::string_view text) { return fmt::format(".SH \"{}\"\n", upper(roff(text))); }

/// Returns a section for each group of options; `request` begins a section.
std::string options_of(const CommandWords& command, bool below) {
  std::vector<std::string> groups;
  for (const OptionWords& option : command.options)
    if (std::find(groups.begin(), groups.end(), option.group) == groups.end()) groups.push_back(option.group);
  std::string out;
  for (const std::string& group : groups) {
    if (!below) out += page_heading(group);
    for (const OptionWords& option : command.options) {
      if (option.group != group) continue;
      std::string names;
      for (const std::string& name : option.names)
        names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", roff(name));
      if (!option.value.empty()) names += fmt::format(" \\fI{}\\fR", roff(option.value));
      std::string choices;
      for (const std::string& choice : option.choices)
        choices += (choices.empty() ? "; one of " : ", ") + choice;
      out += fmt::format(".TP\n{}\n{}\n", names, roff(option.text + choices));
    }
  }
  return out;
}

std::string arguments_of(const CommandWords& command) {
  std::string out;
  for (const OptionWords& argument : command.arguments)
    out += fmt::format(".TP\n\\fI{}\\fR\n{}\n", roff(argument.value), roff(argument.text));
  return out;
}

/// Returns the examples without their heading.
std::string examples_of(const CommandWords& command) {
  std::string_view text = command.footer;
  constexpr std::string_view kHeading = "Examples:\n";
  if (text.starts_with(kHeading)) text.remove_prefix(kHeading.size());
  while (text.ends_with('\n')) text.remove_suffix(1);
  return std::string(text);
}

constexpr std::string_view kStatus =
    ".SH EXIT STATUS\n2 for an invalid option, file or configuration, with lines on standard error that "
    "begin "
    "with \"psim:\"; 70 for a fault of psim. Commands that run a program end with its status.\n";

/// Returns the page of psim itself, or of one of its commands.
std::string manual_page(const CommandWords& psim) {
  const std::size_t colon = psim.text.find(": ");
  std::string out = head(psim.name, colon == std::string::npos ? psim.text : psim.text.substr(colon + 2));
  out += ".SH SYNOPSIS\n\\fBpsim\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR] ...\n" + options_of(psim, false);
  std::string before;
  for (const CommandWords& command : psim.commands) {
    if (command.heading != before) out += page_heading(command.heading);
    before = command.heading;
    out += fmt::format(".TP\n\\fB{}\\fR(1)\n{}\n", roff(page_name(command)), roff(command.text));
  }
  return out + std::string(kStatus);
}

std::string manual_page(const CommandWords& psim, const CommandWords& command) {
  std::string out = head(page_name(command), command.text);
  out += ".SH SYNOPSIS\n" + verbatim(command.usage);
  if (!command.arguments.empty()) out += ".SH ARGUMENTS\n" + arguments_of(command);
  out += options_of(command, false);
  for (const CommandWords& sub : command.commands) {
    out += page_heading(sub.name) + fmt::format("{}\n", roff(sub.text));
    out += arguments_of(sub) + options_of(sub, true);
    if (const std::string examples = examples_of(sub); !examples.empty() && examples != examples_of(command))
      out += ".PP\n" + verbatim(examples);
  }
  out += ".SH EXAMPLES\n" + verbatim(examples_of(command)) + std::string(kStatus);
  return out + fmt::format(".SH SEE ALSO\n\\fB{}\\fR(1)\n", roff(psim.name));
}

/// Returns the names ("psim.1", "psim-run.1") and texts of all pages.
std::vector<std::pair<std::string, std::string>> manual_pages(const CommandWords& psim) {
  std::vector<std::pair<std::string, std::string>> pages{{page_name(psim) + ".1", manual_page(psim)}};
  for (const CommandWords& command : psim.commands)
    pages.emplace_back(page_name(command) + ".1", manual_page(psim, command));
  return pages;
}

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
  throw UserError(fmt::format("manual: unknown command {}{}", options.command,
                              did_you_mean(options.command, names, "see `psim --help`")));
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
