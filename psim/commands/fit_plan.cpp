// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/fit_plan.h"

#include <elf.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <fstream>

#include "base/config/schema.h"
#include "base/error.h"
#include "base/parse_number.h"
#include "base/read_file.h"
#include "machines/machine.h"
#include "psim/net/jobs_file.h"
#include "psim/points.h"

namespace psim::commands {
namespace {

constexpr std::string_view kMachinePlaceholder = "{machine}";

bool is_file(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

/// Returns true if the words are traces: files that are no programs.
bool are_traces(const std::vector<std::string>& words) {
  return std::all_of(words.begin(), words.end(), [](const std::string& word) {
    if (word.ends_with(".trace")) return true;
    std::ifstream file(word, std::ios::binary);
    char magic[SELFMAG] = {};
    return is_file(word) && file.read(magic, SELFMAG) && std::string_view(magic, SELFMAG) != ELFMAG;
  });
}

std::vector<GridPoint> grid_of_traces(const std::vector<std::string>& traces) {
  std::vector<GridPoint> grid;
  for (const std::string& trace : traces) grid.push_back({trace, {trace}, {}});
  return grid;
}

std::vector<std::string> options_of(const std::string& machine, const std::vector<std::string>& sets) {
  std::vector<std::string> options{"--machine", machine};
  for (const std::string& set : sets) options.insert(options.end(), {"--set", set});
  return options;
}

FitMachine machine_of(const std::string& name, const MachineChoice& choice) {
  const auto machine = load_machine(choice);
  return {name,
          options_of(choice.machine, choice.sets),
          machine->l1d.bytes,
          machine->l2.bytes,
          machine->l2.line_bytes,
          machine->memory.latency};
}

/// Returns the parts between separators, without blanks around them and without empty ones.
std::vector<std::string> parts_of(const std::string& text, const char* separators) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    const std::size_t first = text.find_first_not_of(" \t", at);
    if (first < end) parts.push_back(text.substr(first, text.find_last_not_of(" \t", end - 1) + 1 - first));
    at = end + 1;
  }
  return parts;
}

void take_grid(FitProgram& program, const std::vector<std::string>& words,
               const std::vector<std::string>& axes, const std::string& option = "--args") {
  program.grid = grid_of(words, axes, option);
  program.words = words, program.axes = axes;
}

/// A table of the file, as written.
struct ProgramTable {
  std::string name, command, traces, args, regions, predict, allow_status, env, machines;
};
struct MachineTable {
  std::string name, file, set;
};

/// The keys before the tables.
struct SpecHead {
  std::string machines = kDefaultMachine, out;
  bool energy = false, sample = false;
  AddedLimits added;
};

constexpr std::string_view kSpecUser = "-";

void describe(Schema& schema, SpecHead& head) {
  schema.add("machines", head.machines, "names or files of machines", kSpecUser);
  schema.add("out", head.out, "file of models; {machine} stands for the machine's name", kSpecUser);
  schema.add("energy", head.energy, "fit the energy of regions, too", kSpecUser);
  schema.add("sample", head.sample, "estimate long points from units", kSpecUser);
  schema.add("add_points", head.added.points, {0, kMostAddedPoints},
             "points that psim may add for predictions", kSpecUser);
  schema.add("budget", head.added.instructions, {1.0, kMostBudget}, "instructions of the added points",
             kSpecUser);
}

void describe(Schema& schema, const std::string& table, ProgramTable& program) {
  schema.add(table + ".command", program.command, "the program and its arguments", kSpecUser);
  schema.add(table + ".traces", program.traces, "traces instead of a program", kSpecUser);
  schema.add(table + ".args", program.args, "values of the placeholders", kSpecUser);
  schema.add(table + ".regions", program.regions, "regions to fit", kSpecUser);
  schema.add(table + ".predict", program.predict, "arguments of predictions", kSpecUser);
  schema.add(table + ".allow_status", program.allow_status, "exit statuses besides 0 of points that count",
             kSpecUser);
  schema.add(table + ".env", program.env, "variables of the program's environment, NAME=VALUE", kSpecUser);
  schema.add(table + ".machines", program.machines, "machines that run the program", kSpecUser);
}

void describe(Schema& schema, const std::string& table, MachineTable& machine) {
  schema.add(table + ".file", machine.file, "name or file of the machine", kSpecUser);
  schema.add(table + ".set", machine.set, "changed keys", kSpecUser);
}

/// Reads the file. Problems are collected with their lines.
class SpecReader {
 public:
  SpecReader(const std::string& path, const std::string& text) : path_(path) {
    settings_ = read_toml(text, path, problems_);
    problems_.throw_if_any();
    describe(schema_, head_);
    for (const Setting& setting : settings_) add_table(setting.key);
    schema_.apply(settings_, problems_);
  }

  FitPlan plan(const std::string& out_option) {
    FitPlan plan;
    plan.energy = head_.energy, plan.sample = head_.sample, plan.added = head_.added;
    plan.out = !out_option.empty() ? out_option : head_.out.empty() ? "" : beside(head_.out);
    for (const std::string& name : parts_of(head_.machines, " \t,")) plan.machines.push_back(machine(name));
    for (const MachineTable& table : machine_tables_)
      if (std::ranges::find(plan.machines, table.name, &FitMachine::name) == plan.machines.end())
        refuse("machine." + table.name, table.file.empty() ? "set" : "file",
               fmt::format(": machines = \"{}\" does not name {}", head_.machines, table.name));
    for (const ProgramTable& table : program_tables_) plan.programs.push_back(program(table, plan));
    if (program_tables_.empty())
      problems_.add(path_, "no programs; expected a table [program.NAME] for each");
    problems_.throw_if_any();
    return plan;
  }

 private:
  /// Declares the keys of the table to which a key belongs.
  void add_table(const std::string& key) {
    const std::size_t dot = key.rfind('.');
    if (dot == std::string::npos) return;
    const std::string table = key.substr(0, dot);
    if (schema_.find(table + ".command") != nullptr || schema_.find(table + ".file") != nullptr) return;
    const std::size_t prefix = table.find('.') + 1;
    if (table.starts_with("program.") && prefix < table.size()) {
      ProgramTable& program = program_tables_.emplace_back();
      program.name = table.substr(prefix);
      describe(schema_, table, program);
    } else if (table.starts_with("machine.") && prefix < table.size()) {
      MachineTable& machine = machine_tables_.emplace_back();
      machine.name = table.substr(prefix);
      describe(schema_, table, machine);
    }
  }

  std::string beside(const std::string& name) const {
    return (std::filesystem::path(path_).parent_path() / name).string();
  }

  /// Returns the place of a key, or of the first key of its table.
  Origin origin(const std::string& table, const std::string& leaf) const {
    const Field* field = schema_.find(table.empty() ? leaf : table + "." + leaf);
    if (field != nullptr && field->origin.line != 0) return field->origin;
    for (const Setting& setting : settings_)
      if (setting.key.starts_with(table + ".")) return setting.origin;
    return {path_, 0};
  }

  void refuse(const std::string& table, const std::string& leaf, const std::string& why) {
    problems_.add(origin(table, leaf).text(), (table.empty() ? leaf : table + "." + leaf) + why);
  }

  /// Calls `work`, whose errors then are those of a key.
  template <class Work>
  void at_key(const std::string& table, const std::string& leaf, const std::string& value, Work work) {
    try {
      work();
    } catch (const UserError& error) {
      refuse(table, leaf, fmt::format(" = \"{}\": {}", value, error.what()));
    }
  }

  FitMachine machine(const std::string& name) {
    const auto table = std::ranges::find(machine_tables_, name, &MachineTable::name);
    const bool own = table != machine_tables_.end();
    std::string file = own && !table->file.empty() ? table->file : name;
    if (file.ends_with(".toml") || file.find('/') != std::string::npos) file = beside(file);
    std::vector<std::string> sets;
    if (own) sets = parts_of(table->set, ";");
    const std::string key = own ? "machine." + name : "";
    const bool has_file = own && !table->file.empty();
    FitMachine made;
    at_key(has_file ? key : "", has_file ? "file" : "machines", has_file ? table->file : head_.machines, [&] {
      made = machine_of("", {file, {}});
      if (sets.empty()) return;
      at_key(key, "set", table->set, [&] { made = machine_of("", {file, sets}); });
    });
    made.name = name.substr(name.rfind('/') + 1);
    if (made.name.ends_with(".toml")) made.name.erase(made.name.size() - 5);
    return made;
  }

  FitProgram program(const ProgramTable& table, const FitPlan& plan) {
    const std::string key = "program." + table.name;
    FitProgram program;
    program.where = fmt::format("{}: {}", origin(key, "command").text(), key);
    program.region_option = fmt::format("{}: {}.regions =", origin(key, "regions").text(), key);
    program.status_key = key + ".allow_status";
    program.regions = parts_of(table.regions, " \t,");
    program.traces = !table.traces.empty();
    take_statuses(key, table, program);
    take_environment(key, table, program);
    if (table.command.empty() == table.traces.empty())
      refuse(key, table.command.empty() ? "command" : "traces",
             table.command.empty() ? ": missing; expected a command, or traces"
                                   : ": the table has a command, too; expected one of them");
    else if (program.traces)
      take_traces(key, table, program);
    else
      take_command(key, table, program);
    at_key(key, "predict", table.predict, [&] {
      for (const std::string& text : parts_of(table.predict, " \t"))
        program.predicted.push_back(parse_arguments(text, "prediction"));
    });
    take_machines(key, table, plan, program);
    return program;
  }

  void take_traces(const std::string& key, const ProgramTable& table, FitProgram& program) {
    std::vector<std::string> traces;
    for (const std::string& name : parts_of(table.traces, " \t")) {
      traces.push_back(beside(name));
      if (!is_file(traces.back()))
        refuse(key, "traces", fmt::format(" = \"{}\": {}: no such file", table.traces, traces.back()));
    }
    if (!table.args.empty()) refuse(key, "args", ": traces have no arguments; expected no such key");
    program.grid = grid_of_traces(traces);
  }

  void take_command(const std::string& key, const ProgramTable& table, FitProgram& program) {
    auto words = split_words(table.command);
    if (!words || words->empty())
      return refuse(key, "command", fmt::format(" = \"{}\": a quote is left open", table.command));
    words->front() = beside(words->front());
    if (!is_file(words->front()))
      refuse(key, "command", fmt::format(" = \"{}\": {}: no such file", table.command, words->front()));
    if (table.args.empty())
      return refuse(key, "args", ": missing; expected the values of {}, such as \"64 96 128 192\"");
    at_key(key, "args", table.args, [&] { take_grid(program, *words, parts_of(table.args, ";"), "values"); });
  }

  void take_statuses(const std::string& key, const ProgramTable& table, FitProgram& program) {
    if (program.traces && !table.allow_status.empty())
      refuse(key, "allow_status", ": traces have no exit status; expected no such key");
    for (const std::string& text : parts_of(table.allow_status, " \t,"))
      at_key(key, "allow_status", table.allow_status, [&] {
        const int status = parse_number<int>(text).value_or(0);
        if (status < 1 || status > kMostStatus)
          throw UserError(fmt::format("{}: expected a status from 1 to {}", text, kMostStatus));
        program.statuses.push_back(status);
      });
  }

  void take_environment(const std::string& key, const ProgramTable& table, FitProgram& program) {
    if (program.traces && !table.env.empty())
      refuse(key, "env", ": traces have no environment; expected no such key");
    const auto variables = split_words(table.env);
    if (!variables) return refuse(key, "env", fmt::format(" = \"{}\": a quote is left open", table.env));
    for (const std::string& variable : *variables)
      if (const std::size_t sign = variable.find('='); sign == 0 || sign == std::string::npos)
        refuse(key, "env", fmt::format(" = \"{}\": {}: expected NAME=VALUE", table.env, variable));
    program.environment = *variables;
  }

  void take_machines(const std::string& key, const ProgramTable& table, const FitPlan& plan,
                     FitProgram& program) {
    std::vector<std::string> all;
    for (const FitMachine& machine : plan.machines) all.push_back(machine.name);
    program.machines = table.machines.empty() ? all : parts_of(table.machines, " \t,");
    for (const std::string& name : program.machines) {
      if (std::find(all.begin(), all.end(), name) != all.end()) continue;
      refuse(key, "machines",
             fmt::format(" = \"{}\": {} is not in machines = \"{}\"{}", table.machines, name, head_.machines,
                         did_you_mean(name, all, fmt::format("expected some of {}", fmt::join(all, ", ")))));
    }
  }

  std::string path_;
  Problems problems_;
  std::vector<Setting> settings_;
  Schema schema_;
  SpecHead head_;
  std::deque<ProgramTable> program_tables_;  // the schema refers to them
  std::deque<MachineTable> machine_tables_;
};

}  // namespace

FitSpecKeys fit_spec_keys() {
  auto head = std::make_shared<SpecHead>();
  auto program = std::make_shared<ProgramTable>();
  auto machine = std::make_shared<MachineTable>();
  FitSpecKeys keys{{.values = head}, {.values = program}, {.values = machine}};
  describe(*keys.head.schema, *head);
  describe(*keys.program.schema, "program.NAME", *program);
  describe(*keys.machine.schema, "machine.NAME", *machine);
  return keys;
}

std::string FitProgram::name() const {
  const std::string& path = grid.front().words.front();
  return path.substr(path.rfind('/') + 1);
}

bool is_fit_spec(const FitWords& words) {
  return words.words.size() == 1 && words.words[0].ends_with(".toml");
}

FitPlan plan_of(const FitWords& words) {
  FitPlan plan;
  plan.energy = words.energy, plan.sample = words.sample, plan.out = words.out;
  plan.added.points = words.add_points.value_or(plan.added.points);
  plan.added.instructions = words.budget.value_or(plan.added.instructions);
  const std::string machine = words.machine.machine.empty() ? kDefaultMachine : words.machine.machine;
  plan.machines.push_back(machine_of(machine, {machine, words.machine.sets}));
  FitProgram program;
  program.where = "fit", program.region_option = "--region";
  program.regions = words.regions, program.statuses = words.statuses;
  program.traces = words.arguments.empty() && are_traces(words.words);
  if (program.traces)
    program.grid = grid_of_traces(words.words);
  else
    take_grid(program, words.words, words.arguments);
  if (program.traces && words.sample)
    throw UserError("--sample: not with traces, which run in all cycles; expected a program and --args");
  if (program.traces && !words.statuses.empty())
    throw UserError(
        "--allow-status: not with traces, which have no exit status; expected a program and --args");
  if (program.traces && !words.environment.empty())
    throw UserError("--env: not with traces, which have no environment; expected a program and --args");
  program.environment = words.environment;
  for (const std::string& text : words.predicted) program.predicted.push_back(parse_arguments(text));
  program.machines = {machine};
  plan.programs.push_back(std::move(program));
  return plan;
}

FitPlan read_fit_spec(const FitWords& words) {
  const std::string& path = words.words.front();
  for (const auto& [option, given] : {std::pair("--machine", !words.machine.machine.empty()),
                                      {"--set", !words.machine.sets.empty()},
                                      {"--region", !words.regions.empty()},
                                      {"--args", !words.arguments.empty()},
                                      {"--predict", !words.predicted.empty()},
                                      {"--allow-status", !words.statuses.empty()},
                                      {"--env", !words.environment.empty()},
                                      {"--energy", words.energy},
                                      {"--sample", words.sample},
                                      {"--add-points", words.add_points.has_value()},
                                      {"--budget", words.budget.has_value()}})
    if (given) throw UserError(fmt::format("{}: not with {}, which states it", option, path));
  const FileBytes file = read_file(path, kMostConfigBytes);
  if (!file.problem.empty()) throw UserError(fmt::format("{}: cannot be read: {}", path, file.problem));
  FitPlan plan = SpecReader(path, file.bytes).plan(words.out);
  plan.spec = file.bytes;
  return plan;
}

std::string path_for(const std::string& path, const FitPlan& plan, const FitMachine& machine,
                     const std::string& option) {
  const std::size_t at = path.find(kMachinePlaceholder);
  if (at != std::string::npos)
    return path.substr(0, at) + machine.name + path.substr(at + kMachinePlaceholder.size());
  if (plan.machines.size() > 1)
    throw UserError(fmt::format("{} {}: one file for {} machines; expected {{machine}} in its name", option,
                                path, plan.machines.size()));
  return path;
}

}  // namespace psim::commands
