// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/study_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/console.h"
#include "base/error.h"
#include "psim/commands/result_file.h"
#include "psim/points.h"
#include "report/study.h"

namespace psim::commands {
namespace {

namespace fs = std::filesystem;

/// Returns the files *.json below a folder, sorted.
std::vector<std::string> files_below(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end;
       !error && at != end; at.increment(error)) {
    std::error_code ignored;
    if (at->path().extension() == ".json" && at->is_regular_file(ignored))
      files.push_back(at->path().string());
  }
  if (error) throw UserError(fmt::format("{}: cannot be read: {}", folder, error.message()));
  std::ranges::sort(files);
  return files;
}

/// Adds to the study what is planned for a folder, and has no result yet. Returns a line for the user.
std::string add_planned(report::Study& study, const std::string& folder) {
  const std::optional<PlannedPoints> planned = planned_points(folder);
  if (!planned || (planned->failed.empty() && planned->missing.empty())) return "";
  std::vector<std::string> lines;
  for (const std::string& label : planned->failed) lines.push_back(label + ": failed");
  lines.insert(lines.end(), planned->missing.begin(), planned->missing.end());
  const std::size_t finished = planned->all - lines.size();
  study.add_missing(lines);
  return fmt::format("{}: {} of {} points have results, {} failed, {} are missing", folder, finished,
                     planned->all, planned->failed.size(), planned->missing.size());
}

}  // namespace

std::string study_page(const std::string& title, const std::vector<std::string>& paths) {
  constexpr std::size_t kPrinted = 20;
  report::Study study;
  std::vector<std::string> left_out;
  for (const std::string& path : paths) {
    std::error_code ignored;
    const bool folder = fs::is_directory(path, ignored);
    const std::string standing = folder ? add_planned(study, path) : "";
    if (!standing.empty()) console::log("psim: {}\n", standing);
    for (const std::string& file : folder ? files_below(path) : std::vector<std::string>{path}) try {
        study.add(folder ? fs::path(file).lexically_relative(path).string() : file,
                  read_ordered_result(file));
      } catch (const UserError& error) {
        left_out.emplace_back(error.what());
        if (left_out.size() <= kPrinted) console::log("psim: {}\n", error.what());
      }
  }
  if (left_out.size() > kPrinted)
    console::log("psim: {} more files are no results; the page lists them\n", left_out.size() - kPrinted);
  if (study.runs() == 0)
    throw UserError(
        fmt::format("{}: no result of psim is there; expected files as --json writes them", title));
  return study.page(title, left_out);
}

std::function<void(const std::vector<std::string>& results)> write_study(std::optional<OutputFile>& page,
                                                                         const std::string& title) {
  return [&page, title](const std::vector<std::string>& results) {
    if (!page || results.empty()) return;
    page->write(study_page(title, results));
    page->commit();
  };
}

}  // namespace psim::commands
