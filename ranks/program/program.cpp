// SPDX-License-Identifier: Apache-2.0
#include "ranks/program/program.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/error.h"

namespace psim::net {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> folders(std::string_view list, const std::string& origin) {
  std::vector<std::string> result;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(':'), list.size());
    std::string folder(list.substr(0, end));
    for (const std::string_view word : {"$ORIGIN", "${ORIGIN}"})
      if (const std::size_t at = folder.find(word); at != std::string::npos)
        folder.replace(at, word.size(), origin);
    if (!folder.empty()) result.push_back(std::move(folder));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return result;
}

bool of_system(const fs::path& path) {
  const std::string text = path;
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/"},
      [&](std::string_view folder) { return text.starts_with(folder); });
}

// Returns true for libraries of compilers, whose state of threads and exceptions is the whole process's.
bool of_compiler(std::string_view name) {
  static constexpr std::string_view kNames[] = {
      "libpsim_",     "libc.so",     "libm.so",     "libstdc++.", "libgcc_s.", "libgomp.",
      "libgfortran.", "libquadmath", "libasan.",    "libubsan.",  "libomp.",   "libc++",
      "libatomic.",   "libdl.so",    "libpthread.", "ld-linux",   "librt.so",  "libunwind"};
  return std::ranges::any_of(kNames, [&](std::string_view one) { return name.starts_with(one); });
}

/// Returns true for the libraries of Open MPI, MPICH and its relatives, which would take the program's calls.
bool of_other_mpi(std::string_view name) {
  static constexpr std::string_view kNames[] = {"libmpi.so", "libmpi_mpifh.so", "libmpich.so",
                                                "libmpichfort.so", "libmpifort.so"};
  return std::ranges::any_of(kNames, [&](std::string_view one) { return name.starts_with(one); });
}

bool loaded_with_simulator(const std::string& name) {
  void* handle = ::dlopen(name.c_str(), RTLD_NOLOAD | RTLD_LAZY);
  if (handle) ::dlclose(handle);
  return handle != nullptr;
}

/// Returns the folders that the file and LD_LIBRARY_PATH name, in the order of the loader's search.
std::vector<std::string> named_folders(const ProgramFile& file) {
  std::error_code error;
  const std::string origin = fs::canonical(file.path(), error).parent_path();
  const char* environment = std::getenv("LD_LIBRARY_PATH");
  std::vector<std::string> all = folders(file.early_folders(), origin);
  for (const std::string_view list :
       {std::string_view(environment ? environment : ""), std::string_view(file.late_folders())})
    for (std::string& folder : folders(list, origin)) all.push_back(std::move(folder));
  return all;
}

}  // namespace

Program::Program(const std::string& path) { add(path); }

std::string Program::find(const ProgramFile& file, const std::string& name) const {
  std::error_code error;
  if (of_compiler(fs::path(name).filename().native()) || loaded_with_simulator(name)) return "";
  const auto canonical = [&](const fs::path& path) {
    const fs::path found = fs::canonical(path, error);
    return error || of_system(found) ? std::string() : found.string();
  };
  if (name.find('/') != std::string::npos) return canonical(name);
  std::vector<std::string> all = named_folders(file);
  // These folders of the loader's cache are the user's.
  for (const char* folder : {"/usr/local/lib", "/usr/local/lib/x86_64-linux-gnu"}) all.emplace_back(folder);
  for (const std::string& folder : all)
    if (fs::exists(fs::path(folder) / name, error)) return canonical(fs::path(folder) / name);
  return "";
}

void Program::share(const ProgramFile& file, const std::string& name) {
  std::error_code error;
  if (name.find('/') != std::string::npos || loaded_with_simulator(name)) return;
  for (const std::string& folder : named_folders(file))
    if (const fs::path path = fs::path(folder) / name; fs::exists(path, error))
      return shared_.push_back(path);
}

std::size_t Program::add(const std::string& path) {
  const std::size_t part = parts_.size();
  parts_.push_back({ProgramFile(path), {}});
  std::vector<std::size_t> renamed, led_to;
  for (std::size_t i = 0; i < parts_[part].file.needed().size(); ++i) {
    const std::string name = parts_[part].file.needed()[i].name;
    if (of_other_mpi(fs::path(name).filename().native()))
      throw UserError(path + ": linked with another MPI library, too (" + name +
                      "); link it without that one, as psim-cc, psim-cxx and psim-f90 add psim's own");
    const std::string found = find(parts_[part].file, name);
    if (found.empty()) {
      share(parts_[part].file, name);
      continue;
    }
    const auto known =
        std::ranges::find_if(parts_, [&](const Part& one) { return one.file.path() == found; });
    renamed.push_back(i);
    led_to.push_back(known != parts_.end() ? static_cast<std::size_t>(known - parts_.begin()) : add(found));
  }
  Part& mine = parts_[part];
  const auto offsets = mine.file.rename(renamed);
  for (std::size_t i = 0; i < offsets.size(); ++i) mine.links.push_back({offsets[i], led_to[i]});
  order_.push_back(part);
  return part;
}

std::uint64_t Program::least_per_copy() const {
  std::uint64_t bytes = 0;
  for (const Part& part : parts_) bytes += part.file.initialised_bytes() + part.file.bytes().size();
  return bytes;
}

std::uint64_t Program::most_per_copy() const {
  std::uint64_t bytes = 0;
  for (const Part& part : parts_) bytes += part.file.whole().size() + part.file.bytes().size();
  return bytes;
}

}  // namespace psim::net
