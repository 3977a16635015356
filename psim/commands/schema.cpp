// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/console.h"
#include "cosim/scenario.h"
#include "machines/machine.h"
#include "machines/network_machine.h"
#include "papers/experiment.h"
#include "predict/model_file.h"
#include "psim/commands/command.h"
#include "psim/commands/fit_plan.h"
#include "psim/net/jobs_file.h"
#include "psim/schemas/machine_file_schema.h"
#include "psim/schemas/result_schema.h"
#include "report/messages/message_json.h"

namespace psim::commands {
namespace {

using nlohmann::ordered_json;

ordered_json core_file_schema() {
  return machine_file_schema(Machine().schema, "Machine file of psim: a core");
}

ordered_json network_file_schema() {
  return machine_file_schema(NetworkMachine().schema, "Machine file of psim: a network");
}

ordered_json scenario_file_schema() {
  const Scenario scenario;
  const FileKeys job = jobs_file_keys();
  // A table [job.NAME] has the keys of a table [NAME] of a file of jobs.
  ordered_json root = key_file_schema(
      {.title = "Scenario of psim cosim",
       .keys = {&scenario.fabric.schema, &scenario.node.schema, &scenario.mixed.schema, &scenario.schema},
       .tables = {},
       .sources = true,
       .base = true});
  ordered_json jobs =
      key_file_schema({.title = "", .keys = {}, .tables = {{"", job.schema.get(), "a job of ranks"}}});
  root["properties"]["job"] = {{"type", "object"},
                               {"description", "jobs of ranks in addition to the detailed nodes"},
                               {"additionalProperties", jobs["additionalProperties"]}};
  return root;
}

ordered_json jobs_file_schema() {
  const FileKeys job = jobs_file_keys();
  return key_file_schema(
      {.title = "Jobs of psim net --jobs", .keys = {}, .tables = {{"", job.schema.get(), "a job"}}});
}

ordered_json fit_file_schema() {
  const FitSpecKeys keys = fit_spec_keys();
  return key_file_schema({.title = "Programs and machines of psim fit",
                          .keys = {keys.head.schema.get()},
                          .tables = {{"program", keys.program.schema.get(), "a program and its grid"},
                                     {"machine", keys.machine.schema.get(), "a machine of machines"}},
                          .required = {"program"}});
}

ordered_json models_file_schema() {
  const FileKeys region = predict::model_file_keys();
  ordered_json root = key_file_schema({.title = "Models of regions: fits.toml",
                                       .keys = {},
                                       .tables = {{"region", region.schema.get(), "the model of a region"}},
                                       .required = {"format", "region"}});
  root["properties"]["format"] = {{"const", 1}, {"description", "version of the format"}};
  return root;
}

ordered_json results_schema() {
  const Scenario scenario;
  std::vector<std::string> experiments{"all"};
  for (const reproduce::Experiment* experiment : reproduce::experiments())
    experiments.emplace_back(experiment->name);
  return result_schema({{"core", &scenario.node.schema},
                        {"network", &scenario.fabric.schema},
                        {"scenario", &scenario.schema},
                        {"mixed", &scenario.mixed.schema}},
                       experiments);
}

/// A kind of document that has a schema.
struct Subject {
  const char *name, *text;
  ordered_json (*schema)();
};

constexpr Subject kSubjects[] = {
    {"core", "machine files of cores", core_file_schema},
    {"network", "machine files of networks", network_file_schema},
    {"scenario", "scenarios of psim cosim", scenario_file_schema},
    {"jobs", "files of psim net --jobs", jobs_file_schema},
    {"fit", "files of psim fit", fit_file_schema},
    {"models", "fits.toml, models of regions", models_file_schema},
    {"result", "results of --json", results_schema},
    {"messages", "files of psim cosim --messages", message_schema},
};

int print_schema(const std::string& name) {
  for (const Subject& subject : kSubjects)
    if (name == subject.name) console::print("{}\n", subject.schema().dump(1));
  return 0;
}

std::function<int()> set_up_schema(CLI::App& app) {
  auto subject = std::make_shared<std::string>();
  std::vector<std::string> names;
  std::string text;
  for (const Subject& one : kSubjects) {
    names.emplace_back(one.name);
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", one.name, one.text);
  }
  app.add_option("SUBJECT", *subject, text)->required()->check(CLI::IsMember(names));
  return [subject] { return print_schema(*subject); };
}

}  // namespace

const Command kSchema{
    .name = "schema",
    .usage = "SUBJECT",
    .summary = "print a JSON schema of files that psim reads, of results or of timelines of messages",
    .examples =
        "  psim schema core > core.schema.json          # for editors that complete TOML: docs/shell.md\n"
        "  psim schema network > network.schema.json\n"
        "  psim schema scenario > scenario.schema.json\n"
        "  psim schema result > result.schema.json\n"
        "  psim schema messages > messages.schema.json\n",
    .setup = set_up_schema,
};

}  // namespace psim::commands
