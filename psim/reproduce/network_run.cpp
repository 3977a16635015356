// SPDX-License-Identifier: Apache-2.0
#include "psim/reproduce/network_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/error.h"
#include "base/executable_path.h"
#include "base/progress.h"
#include "psim/reproduce/process_pool.h"
#include "psim/reproduce/run_progress.h"

namespace psim::reproduce {
namespace {

namespace fs = std::filesystem;

fs::path psim_executable() { return executable_path().parent_path() / "psim"; }

/// A file in memory that a child writes and that is read afterwards.
class MemoryFile {
 public:
  explicit MemoryFile(const char* name) : descriptor_(::memfd_create(name, MFD_CLOEXEC)) {
    if (descriptor_ < 0) throw std::runtime_error("no memory for a file");
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  int descriptor() const { return descriptor_; }
  std::string text() const {
    std::string all;
    char buffer[4096];
    for (off_t at = 0;;) {
      const ssize_t size = ::pread(descriptor_, buffer, sizeof buffer, at);
      if (size <= 0) return all;
      all.append(buffer, static_cast<std::size_t>(size));
      at += size;
    }
  }

 private:
  int descriptor_;
};

std::vector<std::string> words_of(const NetworkRun& run, int json) {
  std::vector<std::string> words{psim_executable().string(),
                                 "net",
                                 "--quiet",
                                 "--machine",
                                 run.machine,
                                 "-n",
                                 std::to_string(run.ranks),
                                 "--json",
                                 fmt::format("/dev/fd/{}", json)};
  for (const std::string& setting : run.settings) words.insert(words.end(), {"--set", setting});
  words.push_back(program_directory() + "/" + run.program);
  words.insert(words.end(), run.arguments.begin(), run.arguments.end());
  return words;
}

[[noreturn]] void become(std::vector<std::string> words, int json, const MemoryFile& out,
                         const MemoryFile& err, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // interrupted, psim leaves nothing running
  if (::getppid() != parent || ::dup2(out.descriptor(), 1) < 0 || ::dup2(err.descriptor(), 2) < 0 ||
      ::dup2(json, json) < 0)
    ::_exit(127);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execv(arguments[0], arguments.data());
  ::_exit(127);
}

/// {"result": the result of psim net, "output": what the program printed}, as text.
std::string simulate_one(const NetworkRun& run) {
  const MemoryFile out("output"), err("errors");
  int json[2];
  if (::pipe(json) != 0) throw std::runtime_error("no pipe for a result");
  const std::vector<std::string> words = words_of(run, json[1]);
  const pid_t parent = ::getpid(), pid = ::fork();
  if (pid == 0) {
    ::close(json[0]);
    become(words, json[1], out, err, parent);
  }
  ::close(json[1]);
  std::string text;
  char buffer[65536];
  for (ssize_t size; (size = ::read(json[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(size));
  ::close(json[0]);
  int status = 0;
  if (pid < 0 || ::waitpid(pid, &status, 0) != pid || status != 0)
    throw std::runtime_error(fmt::format("{} failed: {}", run.label(), err.text()));
  return nlohmann::ordered_json{{"result", nlohmann::ordered_json::parse(text)}, {"output", out.text()}}
      .dump();
}

NetworkCost cost_of(const std::string& text) {
  const auto both = nlohmann::ordered_json::parse(text);
  const nlohmann::ordered_json& result = both["result"];
  NetworkCost cost;
  cost.output = both["output"].get<std::string>();
  cost.seconds = result["seconds"].get<double>();
  cost.messages = result["messages"].get<std::uint64_t>();
  cost.packets = result["packets"].get<std::uint64_t>();
  cost.packet_hops = result["packet_hops"].get<std::uint64_t>();
  cost.cpu_seconds = result["host"]["cpu_seconds"].get<double>();
  cost.wall_seconds = result["host"]["wall_seconds"].get<double>();
  cost.peak_rss_bytes = result["host"]["peak_rss_bytes"].get<std::uint64_t>();
  if (result.contains("link_energy")) {
    cost.joules = result["link_energy"]["joules"].get<double>();
    cost.watts = result["link_energy"]["watts"].get<double>();
  }
  return cost;
}

}  // namespace

std::string NetworkRun::label() const {
  return fmt::format("{} {}, {} ranks", program, fmt::join(arguments, " "), ranks);
}

double NetworkCost::printed(const std::string& unit) const {
  const std::size_t end = output.find(unit);
  if (end == std::string::npos) throw std::runtime_error(fmt::format("no{} in \"{}\"", unit, output));
  const std::size_t begin = output.find_last_of(' ', end - 1) + 1;
  double value = 0;
  const auto [rest, error] = std::from_chars(output.data() + begin, output.data() + end, value);
  if (error != std::errc{} || rest != output.data() + end)
    throw std::runtime_error(fmt::format("no number before{} in \"{}\"", unit, output));
  return value;
}

std::string program_directory() {
  const fs::path directory =
      (psim_executable().parent_path() / ".." / "share" / "psim" / "mgen").lexically_normal();
  std::error_code error;
  if (!fs::is_directory(directory, error))
    throw UserError(fmt::format(
        "{}: is not there; expected the programs that are built with psim: build again", directory.string()));
  return directory.string();
}

std::vector<NetworkCost> simulate(const std::vector<NetworkRun>& runs, unsigned jobs, bool quiet) {
  std::vector<Task> tasks;
  std::vector<std::string> labels;
  for (const NetworkRun& run : runs) {
    labels.push_back(run.label());
    tasks.push_back({[&run](std::atomic<std::uint64_t>&) { return simulate_one(run); }});
  }
  Progress progress(quiet);
  const std::vector<std::string> results = do_all(tasks, jobs, [&](const std::vector<TaskView>& views) {
    progress.update([&](double elapsed) { return progress_line(elapsed, labels, views); });
  });
  std::vector<NetworkCost> costs;
  for (const std::string& result : results) costs.push_back(cost_of(result));
  return costs;
}

nlohmann::ordered_json json_of(const NetworkRun& run, const NetworkCost& cost) {
  return {{"program", run.program},         {"arguments", run.arguments}, {"ranks", run.ranks},
          {"seconds", cost.seconds},        {"messages", cost.messages},  {"packets", cost.packets},
          {"packet_hops", cost.packet_hops}};
}

nlohmann::ordered_json host_json_of(const NetworkCost& cost) {
  return {{"cpu_seconds", cost.cpu_seconds},
          {"wall_seconds", cost.wall_seconds},
          {"peak_rss_bytes", cost.peak_rss_bytes},
          {"packet_hops_per_second", static_cast<double>(cost.packet_hops) / cost.cpu_seconds}};
}

}  // namespace psim::reproduce
