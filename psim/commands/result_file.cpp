// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/result_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/console.h"
#include "base/error.h"
#include "base/read_file.h"
#include "psim/statistics_manual.h"
#include "report/report.h"
#include "report/terminal_text.h"

namespace psim::commands {

nlohmann::ordered_json read_ordered_result(const std::string& path) {
  const FileBytes file = read_file(path);
  if (!file.problem.empty()) throw UserError(fmt::format("{}: cannot be read: {}", path, file.problem));
  if (file.bytes.empty())
    throw UserError(fmt::format("{}: is empty; expected a result as psim --json writes it", path));
  // A result is a few levels deep. Deeper nesting is refused before it overflows the stack.
  constexpr int kDeepest = 64;
  const auto shallow = [](int depth, nlohmann::ordered_json::parse_event_t, nlohmann::ordered_json&) {
    if (depth > kDeepest) throw UserError("nested too deeply for a result");
    return true;
  };
  try {
    nlohmann::ordered_json document = nlohmann::ordered_json::parse(file.bytes, shallow);
    // `psim reproduce --into` keeps a result together with the output of its program.
    if (document.is_object() && document.contains("result") && document.contains("output"))
      document = nlohmann::ordered_json(document["result"]);
    if (!document.is_object() || !document.contains("schema"))
      throw UserError("expected a result of psim, which has the key schema");
    if (document.contains("messages") && document.contains("cycle_ps"))
      throw UserError(
          "is a timeline of messages, as psim cosim --messages writes it; expected a result of --json");
    if (document["schema"] != kResultSchema)
      throw UserError(fmt::format("schema = {}: written by another version of psim; expected {}",
                                  document["schema"].dump(), kResultSchema));
    if (!document.contains("result_hash"))
      throw UserError("result_hash is missing; expected a result as psim --json writes it");
    const auto page = document.find("page");
    const bool same_page =
        page == document.end() || (page->is_object() && page->contains("sha256") &&
                                   (*page)["sha256"] == page_hash_of(nlohmann::json(*page)));
    if (document["result_hash"] != result_hash_of(nlohmann::json(document)) || !same_page)
      throw UserError("result_hash is not that of the contents: the file was changed after psim wrote it");
    return document;
  } catch (const nlohmann::json::exception& error) {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: …"
    std::string_view why = error.what();
    if (const std::size_t number = why.find("] "); why.starts_with('[') && number != why.npos)
      why.remove_prefix(number + 2);
    throw UserError(fmt::format("{}: not JSON: {}", path, why));
  } catch (const UserError& error) {
    throw UserError(fmt::format("{}: {}", path, error.what()));
  }
}

std::string page_of_file(const std::string& path) {
  const nlohmann::ordered_json document = read_ordered_result(path);
  try {
    return report::result_page(document, all_statistics());
  } catch (const nlohmann::json::exception& error) {
    throw UserError(fmt::format("{}: not as this version of psim writes it: {}", path, error.what()));
  }
}

void refuse_page_over_results(const std::string& page, const char* option,
                              const std::vector<std::string>& results) {
  namespace fs = std::filesystem;
  std::error_code none;
  const fs::path file(page);
  if (page.empty() || !fs::exists(file, none)) return;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  for (const std::string& result : results) {
    const bool inside =
        fs::is_directory(result, none) && file.extension() == ".json" && fs::equivalent(folder, result, none);
    if (inside || fs::equivalent(file, result, none))
      throw UserError(
          fmt::format("{} {}: is a result that is read; expected another file for the page", option, page));
  }
}

void write_page(std::optional<OutputFile>& page, const ResultDocument& result,
                const std::vector<statistics::Reading>& described) {
  if (!page || !page->renew()) return;
  page->write(report::result_page(nlohmann::ordered_json::parse(result.text()), described));
  page->commit();
}

nlohmann::json read_result(const std::string& path) { return nlohmann::json(read_ordered_result(path)); }

void show_page(const ResultDocument& result, std::size_t rows) {
  constexpr std::size_t kAny = 1 << 20;
  const std::string page = report::result_page(nlohmann::ordered_json::parse(result.text()), {});
  const std::string shown = report::terminal_text(page, {kAny, kAny, rows});
  console::print("{}", shown);
  if (shown != report::terminal_text(page, {kAny, kAny, kAny}))
    console::print("Long tables end early here; --report FILE.html has all of their rows.\n");
}

}  // namespace psim::commands
