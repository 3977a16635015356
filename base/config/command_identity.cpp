// SPDX-License-Identifier: Apache-2.0
#include "base/config/command_identity.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <string_view>

#include "base/config/machine_files.h"
#include "base/error.h"
#include "base/executable_path.h"
#include "base/sha256.h"

namespace psim {
namespace {

namespace fs = std::filesystem;

/// Returns the SHA-256 of a file in hexadecimal digits; that of no bytes if it cannot be read.
std::string sha256_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Sha256 hash;
  std::string block(1 << 20, '\0');
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())), file.gcount() > 0)
    hash.update({block.data(), static_cast<std::size_t>(file.gcount())});
  return hash.finish();
}

/// Returns the settings of a machine, those of its bases too. An unknown machine has none: its run reports
/// it.
std::string settings_of(const std::string& machine) try {
  Problems ignored;
  std::string all;
  for (const Setting& setting : load_machine_settings(machine, ignored))
    all += fmt::format("{}={}{}", setting.key, setting.value, '\0');
  return all;
} catch (const UserError&) {
  return "";
}

/// Returns the hash of this psim and of its shipped machines: others may compute other results.
const std::string& own_sha256() {
  static const std::string hash = [] {
    std::string all = sha256_of_file(executable_path().string());
    for (const std::string& machine : machine_names()) all += machine + '\0' + settings_of(machine);
    return sha256(all);
  }();
  return hash;
}

}  // namespace

std::string command_identity(const std::vector<std::string>& words) {
  constexpr std::string_view kMachineIs = "--machine=";
  std::string all = own_sha256();
  for (std::size_t i = 1; i < words.size(); ++i) {
    all += words[i] + '\0';
    std::error_code ignored;
    std::string path = words[i];
    for (const std::string_view how : {"model:", "recorded:", "mpi.collectives="})  // options with files
      if (const std::size_t at = path.find(how); at != std::string::npos) path.erase(0, at + how.size());
    if (words[i - 1] == "--record-compute") continue;  // an output, which may be there from a run before
    if (words[i - 1] == "--machine")
      all += settings_of(path);
    else if (path.starts_with(kMachineIs))
      all += settings_of(path.substr(kMachineIs.size()));
    else if (fs::is_regular_file(path, ignored))
      all += sha256_of_file(path);
  }
  return sha256(all).substr(0, 16);
}

}  // namespace psim
