// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/guest_result.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/console.h"
#include "base/error.h"
#include "base/sha256.h"
#include "guest/start_json.h"
#include "pipeline/node_config.h"

namespace psim::commands {

void describe_guest(ResultDocument& result, const std::vector<std::string>& words, const GuestProgram& guest,
                    std::uint64_t seed) {
  result.input("program", words[0], guest.sha256, guest.image.bytes.size());
  result.seed(seed);
  result.body()["arguments"] = std::vector<std::string>(words.begin() + 1, words.end());
}

void describe_start(ResultDocument& result, const isa::Process& process, const GuestProgram& guest) {
  result.body()["inputs"]["start"] = start_json(process.start, guest.options);
}

nlohmann::ordered_json files_json(const std::map<std::string, isa::SeenFiles::Input>& files) {
  nlohmann::ordered_json all;
  for (const auto& [name, file] : files) all[name] = {{"sha256", file.sha256}, {"bytes", file.bytes}};
  return all;
}

void describe_input(ResultDocument& result, const isa::Process& process) {
  if (const auto& files = process.seen_files.inputs(); !files.empty())
    result.body()["inputs"]["files"] = files_json(files);
  const auto& consumed = process.files.standard_input();
  if (!consumed || consumed->bytes == 0) return;
  Sha256 hash = consumed->hash;
  result.body()["inputs"]["standard_input"] = {{"sha256", hash.finish()}, {"bytes", consumed->bytes}};
}

GuestEnding ending_of(const isa::Process& process) {
  if (!process.ending()) return {};
  if (!process.ending()->refusal.empty()) throw UserError(process.ending()->refusal);
  const int code = process.ending()->code;
  if (!process.ending()->by_signal) return {.status = code, .deadlock = process.ending()->deadlock};
  const int host = isa::sig::to_host(code);
  return {.status = 128 + (host ? host : code), .signal = code};
}

std::string one_thread_for(std::string_view option, std::string_view instead) {
  return fmt::format(
      "{}: the program creates a thread; expected a program with one thread (for OpenMP: --env "
      "OMP_NUM_THREADS=1), or {}",
      option, instead);
}

void describe_threads(ResultDocument& result, const isa::Process& process, bool quiet) {
  if (!process.threaded()) return;
  nlohmann::ordered_json& rows = result.body()["threads"] = nlohmann::ordered_json::array();
  for (const auto& thread : process.threads.all())
    rows.push_back({{"thread", thread->id}, {"core", thread->core}});
  if (const std::string note = pipeline::shared_core_note(process); !note.empty() && !quiet)
    console::log("psim: {}\n", note);
}

void describe_ending(ResultDocument& result, const GuestEnding& ending, const GuestProgram& guest) {
  result.body()["exit_status"] = ending.status;
  if (ending.signal) result.body()["signal"] = isa::sig::name(ending.signal);
  if (!ending.deadlock.empty()) {
    result.partial("deadlock");
    result.body()["deadlock"] = ending.deadlock;
  }
  result.body()["fma"] = guest.options.fma == isa::FmaRounding::Fused ? "fused" : "unfused";
}

int end_as(const GuestEnding& ending) {
  if (ending.signal) isa::die_by_signal(ending.signal);
  return ending.status;
}

}  // namespace psim::commands
