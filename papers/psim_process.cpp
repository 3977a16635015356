// SPDX-License-Identifier: Apache-2.0
#include "papers/psim_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <stdexcept>

#include "base/child_process.h"
#include "base/executable_path.h"

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

}  // namespace

PsimOutcome run_psim(std::vector<std::string> words, const std::string& label) {
  const MemoryFile out("output"), err("errors");
  Pipe json(0);  // psim opens it by its descriptor
  words.insert(words.begin() + 1, {"--quiet", "--json", fmt::format("/dev/fd/{}", json.write_end())});
  words.insert(words.begin(), (executable_path().parent_path() / "psim").string());
  ChildProcess child([&] {
    if (::dup2(::open("/dev/null", O_RDONLY), 0) >= 0 && ::dup2(out.descriptor(), 1) >= 0 &&
        ::dup2(err.descriptor(), 2) >= 0)
      execute(words[0].c_str(), words);
    return 127;
  });
  json.close_write_end();
  std::string text = json.read_all();
  if (child.wait() != 0) throw std::runtime_error(fmt::format("{} failed: {}", label, err.text()));
  return {std::move(text), out.text()};
}

}  // namespace psim::reproduce
