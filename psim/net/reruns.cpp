// SPDX-License-Identifier: Apache-2.0
#include "psim/net/reruns.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "base/child_process.h"
#include "base/error.h"
#include "psim/partial_results.h"

namespace psim {
namespace {

// An order is its length in decimal digits, a line's end, and its text: other children keep the writing end
// of the pipe open, so that it has no end.

/// Returns the order that arrives; empty if none does.
std::string read_order(Pipe& pipe) {
  std::string text;
  for (;;) {
    const std::size_t line = text.find('\n');
    if (line != std::string::npos && text.size() - line - 1 >= std::stoull(text.substr(0, line)))
      return text.substr(line + 1);
    if (!pipe.read_some(text)) return "";
  }
}

/// Makes the program's standard input the same file from its start, if it is a file; else empty. Its output
/// is lost. Returns false if the host refuses.
bool redirect() {
  const int nothing = ::open("/dev/null", O_RDWR);
  if (nothing < 0) return false;
  struct stat input {};
  const bool file = ::fstat(0, &input) == 0 && S_ISREG(input.st_mode);
  const int again = file ? ::open("/proc/self/fd/0", O_RDONLY) : nothing;
  ::dup2(again < 0 ? nothing : again, 0);
  for (const int descriptor : {1, 2}) ::dup2(nothing, descriptor);
  return true;
}

int perform(Pipe& orders, Pipe& results, const Reruns::Run& run) {
  PartialResults::ignore_requests();
  const std::string order = read_order(orders);
  if (order.empty()) return 0;
  if (!redirect()) return 1;
  try {
    run(WhatIf::from_json(order), fmt::format("/dev/fd/{}", results.write_end()));
  } catch (const UserError& error) {
    write_all(results.write_end(), nlohmann::json{{"error", error.what()}}.dump());
  }
  return 0;
}

}  // namespace

struct Reruns::Waiting {
  Pipe orders{0}, results{0};  // results go to inherited descriptors, not to psim's own: base/output_file.h
  ChildProcess child;
  explicit Waiting(const Run& run) : child([&] { return perform(orders, results, run); }) {
    results.close_write_end();
    orders.close_read_end();
  }
};

Reruns::Reruns(std::size_t count, const Run& run) {
  for (std::size_t i = 0; i < count; ++i) waiting_.push_back(std::make_unique<Waiting>(run));
}

Reruns::~Reruns() = default;

std::string Reruns::run(const WhatIf& change) {
  const std::unique_ptr<Waiting> next = std::move(waiting_.back());
  waiting_.pop_back();
  const std::string order = change.to_json();
  const auto missing = [&](const std::string& why) {
    return UserError(fmt::format("--efficiency: the run with {} left no result: {}", change.text(), why));
  };
  if (!write_all(next->orders.write_end(), fmt::format("{}\n{}", order.size(), order)))
    throw missing("its process has ended");
  std::string text = next->results.read_all();
  const int status = next->child.wait();
  if (text.empty()) throw missing(fmt::format("exit status {}", status));
  if (const auto json = nlohmann::json::parse(text, nullptr, false);
      json.is_object() && json.contains("error"))
    throw missing(json["error"].get<std::string>());
  return text;
}

std::vector<JobRun> Reruns::times(const WhatIf& change) {
  const auto result = nlohmann::ordered_json::parse(run(change));
  const std::string ending = result.value("ending", result.value("partial", "finished"));
  if (ending != "finished")
    throw UserError(fmt::format("--efficiency: the run with {} has not finished: {}", change.text(), ending));
  return job_runs(result);
}

}  // namespace psim
