// SPDX-License-Identifier: Apache-2.0
#include "base/config/machine_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>

#include "base/executable_path.h"
#include "base/read_file.h"

namespace psim {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kDeepestBases = 16;
constexpr int kBuildDepth = 4;  // build/release/bin/psim is three below the source tree

bool is_file_name(std::string_view name) { return name.find('/') != name.npos || name.ends_with(".toml"); }

std::string machine_text(const std::string& path, Problems& problems) {
  FileBytes file = read_file(path, kMostConfigBytes);
  if (!file.problem.empty()) problems.add(path, "cannot be read: " + file.problem);
  return std::move(file.bytes);
}

}  // namespace

std::vector<std::string> machine_directories() {
  std::vector<std::string> found;
  std::error_code error;
  if (executable_path().empty()) return found;
  fs::path directory = executable_path().parent_path();
  const auto add = [&](const fs::path& candidate) {
    if (fs::is_directory(candidate, error)) found.push_back(candidate.lexically_normal().string());
  };
  add(directory / ".." / "share" / "psim" / "machines");
  for (int level = 0; level < kBuildDepth; ++level, directory = directory.parent_path())
    add(directory / "machines");
  return found;
}

std::vector<std::string> machine_names() {
  std::set<std::string> names;
  std::error_code error;
  for (const std::string& directory : machine_directories())
    for (const fs::directory_entry& entry : fs::directory_iterator(directory, error))
      if (entry.path().extension() == ".toml") names.insert(entry.path().stem().string());
  return {names.begin(), names.end()};
}

std::string find_machine(std::string_view name, const std::string& base_folder) {
  std::error_code error;
  if (is_file_name(name)) {
    const fs::path path = fs::path(base_folder) / name;
    if (!fs::exists(path, error)) throw UserError(fmt::format("machine {}: no such file", path.string()));
    return path.string();
  }
  std::vector<std::string> folders = machine_directories();
  if (!base_folder.empty()) folders.push_back(base_folder);  // after the shipped ones, which win
  folders.emplace_back("");
  for (const std::string& source_name : folders)
    if (const fs::path path = fs::path(source_name) / (std::string(name) + ".toml");
        fs::is_regular_file(path, error))
      return path.string();
  const std::vector<std::string> names = machine_names();
  throw UserError(
      fmt::format("machine {}: unknown{}", name.substr(0, 200),
                  did_you_mean(name, names, fmt::format("shipped are {}", fmt::join(names, ", ")))));
}

std::vector<Setting> load_machine_settings(std::string_view name, Problems& problems) {
  std::vector<std::vector<Setting>> layers;  // the machine itself first
  std::vector<std::string> files;
  std::string wanted(name), base_folder, requested_by;
  while (!wanted.empty()) {
    std::string path;
    try {
      path = find_machine(wanted, base_folder);
    } catch (const UserError& error) {
      problems.add(requested_by, error.what());
      break;
    }
    std::error_code error;
    std::string canonical = fs::weakly_canonical(path, error).string();
    if (std::find(files.begin(), files.end(), canonical) != files.end() || files.size() >= kDeepestBases) {
      problems.add(requested_by, fmt::format("base = \"{}\": a machine cannot be its own base", wanted));
      break;
    }
    files.push_back(std::move(canonical));
    std::vector<Setting> settings = read_toml(machine_text(path, problems), path, problems);
    base_folder = fs::path(path).parent_path().string();
    wanted.clear();
    const auto base =
        std::find_if(settings.begin(), settings.end(), [](const Setting& s) { return s.key == "base"; });
    if (base != settings.end()) {
      requested_by = base->origin.text();
      if (base->kind == Setting::Kind::String && !base->value.empty())
        wanted = base->value;
      else
        problems.add(requested_by, "base: expected the name or file of a machine in quotes");
      settings.erase(base);
    }
    layers.push_back(std::move(settings));
  }
  std::vector<Setting> all;
  for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer)
    std::move(layer->begin(), layer->end(), std::back_inserter(all));
  return all;
}

void apply_machine(Schema& schema, std::string_view name, const std::vector<std::string>& overrides) {
  Problems problems;
  std::vector<Setting> settings = load_machine_settings(name, problems);
  for (const std::string& text : overrides) settings.push_back(parse_override(text));
  schema.apply(settings, problems);
  problems.throw_if_any();
}

}  // namespace psim
