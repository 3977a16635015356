// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/saved_warm.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/config/print.h"
#include "base/error.h"
#include "base/sha256.h"
#include "guest/start_json.h"
#include "guest/unique_fd.h"

namespace psim::commands {
namespace {

using WarmJson = nlohmann::ordered_json;

/// Keys on which neither the warm state nor the program depends. Other keys must be equal, those of future
/// components among them.
bool is_free(std::string_view key) {
  constexpr std::array kFolders{"energy.",         "memory.",          "core.fetch.",       "core.stages.",
                                "core.window.",    "core.pipes.",      "core.stations.",    "core.latency.",
                                "core.pipelined.", "core.load_store.", "core.window_trap.", "simd.timing."};
  constexpr std::array kNames{"latency",          "ports",           "banks",           "miss_registers",
                              "targets_per_miss", "notice",          "bytes_per_cycle", "micro_miss_cycles",
                              "main_miss_cycles", "redirect_cycles", "taken_bubble",    "watchdog"};
  const std::string_view name = key.substr(key.rfind('.') + 1);
  return key == "name" || key == "description" ||
         std::any_of(kFolders.begin(), kFolders.end(), [key](const char* f) { return key.starts_with(f); }) ||
         std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

/// Adds the keys that must be equal, as text.
void add_keys(const WarmJson& section, const std::string& prefix, WarmJson& keys) {
  for (const auto& [name, value] : section.items()) {
    const std::string key = prefix + name;
    if (value.is_object())
      add_keys(value, key + ".", keys);
    else if (!is_free(key))
      keys[key] = value.is_string() ? value.get<std::string>() : value.dump();
  }
}

[[noreturn]] void refuse(const pipeline::WarmFile& file, const std::string& what, const std::string& here,
                         const std::string& saved) {
  file.fail(fmt::format("{} = {}: the saved warm state has {}; expected the same", what, here, saved));
}

std::string shown(const WarmJson& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Compares two objects of the identity. Keys are printed after `prefix`.
void compare(const pipeline::WarmFile& file, const std::string& prefix, const WarmJson& here,
             const WarmJson& saved) {
  for (const auto& [key, value] : here.items()) {
    const WarmJson there = saved.is_object() && saved.contains(key) ? saved.at(key) : WarmJson();
    if (value.is_object())
      compare(file, prefix + key + ".", value, there);
    else if (value != there)
      refuse(file, prefix + key, shown(value), there.is_null() ? "none" : shown(there));
  }
  if (saved.is_object() && saved.size() != here.size())
    file.fail(fmt::format("{}: keys that this psim does not have; save the warm state again",
                          prefix.empty() ? "the run" : prefix));
}

/// Compares an input file of the program with the one that it read.
void compare_input(const pipeline::WarmFile& file, isa::Process& process, const std::string& name,
                   const WarmJson& saved) {
  isa::PathTarget target;
  const std::string digits = saved.at("sha256");
  if (process.sandbox.resolve("/", name, true, target) == 0 && target.kind == isa::PathTarget::Kind::Host) {
    const isa::UniqueFd opened(::openat(target.parent.get(), target.name.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status {};
    isa::SeenFiles seen;
    if (opened.get() >= 0 && ::fstat(opened.get(), &status) == 0) seen.note_input(name, opened.get(), status);
    if (const auto found = seen.inputs().find(name); found != seen.inputs().end()) {
      if (found->second.sha256 == digits && found->second.bytes == saved.at("bytes")) return;
      refuse(file, name, "SHA-256 " + found->second.sha256.substr(0, 16) + "…", digits.substr(0, 16) + "…");
    }
  }
  refuse(file, name, "no such file", "SHA-256 " + digits.substr(0, 16) + "…");
}

void compare_standard_input(const pipeline::WarmFile& file, const WarmJson& saved) {
  Sha256 hash;
  std::array<char, 65536> bytes;
  const std::uint64_t wanted = saved.at("bytes");
  std::uint64_t read = 0;
  while (read < wanted) {
    const ::ssize_t got = ::read(0, bytes.data(), std::min<std::uint64_t>(bytes.size(), wanted - read));
    if (got <= 0) break;
    hash.update({bytes.data(), static_cast<std::size_t>(got)});
    read += static_cast<std::uint64_t>(got);
  }
  if (read != wanted || hash.finish() != saved.at("sha256"))
    refuse(file, "standard input", fmt::format("{} other bytes", read), fmt::format("read {} bytes", wanted));
}

}  // namespace

nlohmann::ordered_json warm_identity(const std::vector<std::string>& words, const GuestProgram& guest,
                                     const isa::Process& process, const Machine& machine, std::uint64_t seed,
                                     std::uint64_t max_instructions) {
  WarmJson start = start_json(process.start, guest.options);
  // Other kinds of descriptors are other inputs, but few programs depend on them.
  for (const char* key : {"standard_input", "standard_output", "standard_error"}) start.erase(key);
  WarmJson keys = WarmJson::object();
  add_keys(config_json(machine.schema), "", keys);
  return {{"program", {{"sha256", guest.sha256}}},
          {"arguments", std::vector<std::string>(words.begin() + 1, words.end())},
          {"start", std::move(start)},
          {"--fma", guest.options.fma == isa::FmaRounding::Fused ? "fused" : "unfused"},
          {"--seed", seed},
          {"--max-instructions", max_instructions},
          {"machine", std::move(keys)}};
}

std::string warm_path(const std::string& path, const std::vector<std::string>& words,
                      const nlohmann::ordered_json& identity) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) return path;
  const std::string name = std::filesystem::path(words[0]).filename().string();
  return (std::filesystem::path(path) /
          fmt::format("{}-{}.warm", name, sha256(identity.dump()).substr(0, 16)))
      .string();
}

void finish_saving(WarmSaving& saving, const nlohmann::ordered_json& identity, const SampleOptions& options,
                   std::uint64_t last_period, ResultDocument& result, const GuestEnding& ending) {
  const WarmJson description{
      {"identity", identity},
      {"sample",
       {{"unit", options.unit},
        {"warmup", options.warm_up},
        {"seed", options.seed},
        {"last_period", last_period}}},
      {"inputs", result.body()["inputs"]},
      {"ending", {{"status", ending.status}, {"signal", ending.signal}, {"deadlock", ending.deadlock}}}};
  saving.file->finish(saving.summary, description.dump());
}

WarmSource::WarmSource(const std::string& path) : file(path) {
  description = WarmJson::parse(file.description(), nullptr, false);
  for (const char* key : {"identity", "sample", "inputs", "ending"})
    if (!description.is_object() || !description.contains(key))
      file.fail(fmt::format("its description has no {}; save the warm state again", key));
}

void WarmSource::check(const nlohmann::ordered_json& identity, isa::Process& process,
                       SampleOptions& options) const {
  compare(file, "", identity, description.at("identity"));
  const WarmJson& sample = description.at("sample");
  const std::uint64_t window =
      sample.at("unit").get<std::uint64_t>() + sample.at("warmup").get<std::uint64_t>();
  for (const char* option : {"--sample-error", "--sample-period", "--sample-seed"})
    if (options.app->get_option(option)->count() != 0)
      throw UserError(
          fmt::format("{}: not with --from-warm, whose file has the places of the units", option));
  if (options.app->get_option("--sample-unit")->count() == 0) options.unit = sample.at("unit");
  if (options.app->get_option("--sample-warmup")->count() == 0) options.warm_up = sample.at("warmup");
  options.seed = sample.at("seed");
  if (options.unit + options.warm_up > window)
    file.fail(
        fmt::format("--sample-unit {} and --sample-warmup {}: the saved windows have {} instructions; "
                    "expected at most that, or windows saved with these options",
                    options.unit, options.warm_up, window));
  const WarmJson& inputs = description.at("inputs");
  if (inputs.contains("files"))
    for (const auto& [name, saved] : inputs.at("files").items()) compare_input(file, process, name, saved);
  if (inputs.contains("standard_input")) compare_standard_input(file, inputs.at("standard_input"));
}

GuestEnding WarmSource::ending() const {
  const WarmJson& ending = description.at("ending");
  return {.status = ending.at("status"), .signal = ending.at("signal"), .deadlock = ending.at("deadlock")};
}

}  // namespace psim::commands
