// SPDX-License-Identifier: Apache-2.0
#include "papers/psim_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "base/child_process.h"
#include "base/config/command_identity.h"
#include "base/error.h"
#include "base/executable_path.h"
#include "base/output_file.h"
#include "base/read_file.h"
#include "base/result_document.h"

namespace psim::reproduce {
namespace {

/// A file in memory that a child writes and the parent reads afterwards.
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

/// Returns the file that keeps the outcome of a command.
std::string kept_path(const std::vector<std::string>& words, const std::string& into) {
  std::vector<std::string> whole = words;
  whole.insert(whole.begin(), "psim");
  return fmt::format("{}/{}.json", into, command_identity(whole));
}

std::optional<PsimOutcome> kept_outcome(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::nullopt;
  const auto kept = nlohmann::ordered_json::parse(read_file(path).bytes, nullptr, false);
  if (kept.is_object() && kept.contains("result") && kept.contains("output") &&
      kept["result"].value("result_hash", "") == result_hash_of(kept["result"]))
    return PsimOutcome{kept["result"].dump(), kept["output"].get<std::string>(), {}, 0};
  throw UserError(path + ": is not an unchanged outcome of psim; remove it to simulate again");
}

}  // namespace

PsimOutcome run_psim_to_its_end(std::vector<std::string> words) {
  const MemoryFile out("output"), err("errors");
  Pipe json(0);  // psim opens it by its descriptor
  words.insert(words.begin() + 1, {"--quiet", "--json", fmt::format("/dev/fd/{}", json.write_end())});
  words.insert(words.begin(), (executable_path().parent_path() / "psim").string());
  ChildProcess child([&] {
    ::close(
        json.read_end());  // otherwise psim waits for itself to read its result once this process has ended
    if (::dup2(::open("/dev/null", O_RDONLY), 0) >= 0 && ::dup2(out.descriptor(), 1) >= 0 &&
        ::dup2(err.descriptor(), 2) >= 0)
      execute(words[0].c_str(), words);
    return 127;
  });
  json.close_write_end();
  PsimOutcome outcome;
  outcome.json = json.read_all();
  outcome.status = child.wait();
  outcome.output = out.text();
  outcome.errors = err.text();
  return outcome;
}

PsimOutcome run_or_take_psim(std::vector<std::string> words, const std::string& into) {
  const std::string path = into.empty() ? "" : kept_path(words, into);
  if (!path.empty())
    if (std::optional<PsimOutcome> kept = kept_outcome(path)) return std::move(*kept);
  PsimOutcome outcome = run_psim_to_its_end(std::move(words));
  if (outcome.status == 0 && !path.empty()) {
    OutputFile file(path, "--into");
    file.write(nlohmann::ordered_json{{"result", nlohmann::ordered_json::parse(outcome.json)},
                                      {"output", outcome.output}}
                   .dump(1) +
               "\n");
    file.commit();
  }
  return outcome;
}

PsimOutcome run_psim(std::vector<std::string> words, const std::string& label, const std::string& into) {
  PsimOutcome outcome = run_or_take_psim(std::move(words), into);
  if (outcome.status == 0) return outcome;
  // A user's mistake, as a value of --set that no machine has, is the last line of psim's errors.
  std::string_view said = outcome.errors;
  if (said.ends_with('\n')) said.remove_suffix(1);
  said.remove_prefix(said.rfind('\n') + 1);
  if (outcome.status == 2 && said.starts_with("psim: "))
    throw UserError(fmt::format("{}: {}", label, said.substr(std::string_view("psim: ").size())));
  throw std::runtime_error(fmt::format("{} failed: {}", label, outcome.errors));
}

void prepare_to_keep(const std::string& into) {
  if (into.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(into, error);
  if (error) throw UserError(fmt::format("--into {}: {}", into, error.message()));
  command_identity({});
}

}  // namespace psim::reproduce
