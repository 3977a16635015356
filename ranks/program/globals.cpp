// SPDX-License-Identifier: Apache-2.0
#include "ranks/program/globals.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>

#include "base/console.h"
#include "base/error.h"
#include "ranks/program/globals_remapped.h"
#include "ranks/program/globals_swapped.h"
#include "ranks/program/memory_need.h"
#include "ranks/program/sanitizer.h"
#include "ranks/program/saved_range.h"

namespace psim::net {

namespace {

constexpr std::uint32_t kMostCopies = 512;
// A guard needs one more mapping, and a process has some 65,000: more copies would exhaust them.
constexpr std::uint32_t kMostGuarded = 4'096;
// Measured (docs/decisions/0021): comparing and copying costs between 0.2 us per written
// page of few lines and 0.1 us per written KiB. Mapping costs 1 us, and 1 us per page touched afterwards.
// Copying queries the kernel about every page of the variables at each switch, so large variables are mapped.
constexpr std::uint64_t kMostSwapped = 256 * 1024;

/// Raises the process's limit of open files, which is 1,024 by default: each rank opens some, and copies of a
/// program keep theirs open.
void allow_open_files(std::uint64_t further) {
  constexpr std::uint64_t kOthers = 512;
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= further + kOthers) return;
  files.rlim_cur = std::min<std::uint64_t>(files.rlim_max, further + kOthers);
  ::setrlimit(RLIMIT_NOFILE, &files);
}

class Copies : public Globals {
 public:
  Copies(const Program& program, std::uint32_t ranks) : bytes_(program.least_per_copy()) {
    images_.reserve(ranks);
    for (std::uint32_t i = 0; i < ranks; ++i) {
      images_.emplace_back(program, ranks <= kMostGuarded, i == 0);
      if (i > 0) images_[i].share(images_[0]);
    }
  }
  const Image& image(std::uint32_t rank) const override { return images_[rank]; }
  void enter(std::uint32_t) override {}
  std::byte* memory(std::uint32_t, void* address, std::uint64_t) override {
    return static_cast<std::byte*>(address);
  }
  GlobalsMode mode() const override { return GlobalsMode::Copies; }
  std::uint64_t bytes_per_rank() const override { return bytes_; }

 private:
  std::vector<Image> images_;
  std::uint64_t bytes_;
};

class Shared : public Globals {
 public:
  explicit Shared(const Program& program) : image_(program) {}
  const Image& image(std::uint32_t) const override { return image_; }
  void enter(std::uint32_t) override {}
  std::byte* memory(std::uint32_t, void* address, std::uint64_t) override {
    return static_cast<std::byte*>(address);
  }
  GlobalsMode mode() const override { return GlobalsMode::Shared; }
  std::uint64_t bytes_per_rank() const override { return 0; }

 private:
  Image image_;
};

}  // namespace

std::unique_ptr<Globals> Globals::make(const Program& program, std::uint32_t ranks, GlobalsMode mode) {
  const ProgramFile& file = program.file();
  const bool libraries = program.parts().size() > 1;
  const std::uint64_t each = file.variables().size() + file.thread_local_bytes();
  if (mode == GlobalsMode::Automatic)
    mode = ranks <= kMostCopies || libraries ? GlobalsMode::Copies
           : each <= kMostSwapped            ? GlobalsMode::Swapped
                                             : GlobalsMode::Remapped;
  constexpr std::uint64_t kFilesOfRank = 16;
  allow_open_files(ranks * (kFilesOfRank + (mode == GlobalsMode::Copies ? program.parts().size() : 0)));
  if (mode == GlobalsMode::Shared) return std::make_unique<Shared>(program);
  if (mode != GlobalsMode::Copies && needs_address_sanitizer(file.path()))
    throw UserError(fmt::format(
        "{}: with AddressSanitizer, global variables cannot be exchanged between ranks; expected at "
        "most {} ranks, or --globals copies",
        file.path(), kMostCopies));
  if (mode != GlobalsMode::Copies && libraries)
    throw UserError(
        fmt::format("{}: global variables of its library {} cannot be exchanged between ranks; expected "
                    "--globals copies or a static library",
                    file.path(), program.parts()[1].file.path()));
  const std::uint64_t most = mode == GlobalsMode::Copies ? program.most_per_copy() : each;
  const std::uint64_t least = mode == GlobalsMode::Copies ? program.least_per_copy() : least_written(program);
  const std::uint64_t available = available_memory();
  check_memory(file.path(), {.ranks = ranks, .globals = least}, available);
  if (const MemoryNeed need{.ranks = ranks, .globals = most}; need.bytes() > available)
    console::log(
        "psim: {}: {:.1f} GiB of memory are free, and {:.1f} GiB will be needed if the ranks use all of "
        "their static arrays\n",
        file.path(), static_cast<double>(available) / (1 << 30),
        static_cast<double>(need.bytes()) / (1 << 30));
  if (mode == GlobalsMode::Copies) return std::make_unique<Copies>(program, ranks);
  if (mode == GlobalsMode::Swapped) return std::make_unique<SwappedGlobals>(program, ranks);
  return std::make_unique<RemappedGlobals>(program, ranks);
}

std::uint64_t least_written(const Program& program) {
  const ProgramFile& file = program.file();
  return std::min<std::uint64_t>(SavedRange::kPage, file.variables().size() + file.thread_local_bytes());
}

std::string name(GlobalsMode mode) {
  switch (mode) {
    case GlobalsMode::Automatic:
      return "automatic";
    case GlobalsMode::Copies:
      return "copies";
    case GlobalsMode::Swapped:
      return "swapped";
    case GlobalsMode::Remapped:
      return "remapped";
    case GlobalsMode::Shared:
      return "shared";
  }
  return "";
}

}  // namespace psim::net
