// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/output_file.h"
#include "psim/commands/command.h"
#include "psim/commands/result_file.h"
#include "psim/commands/study_files.h"

namespace psim::commands {
namespace {

struct ReportOptions {
  std::vector<std::string> files;
  std::string page, title;
};

int make_report(const ReportOptions& options) {
  refuse_page_over_results(options.page, "--output", options.files);
  OutputFile page(options.page, "--output");
  const std::string& first = options.files[0];
  std::error_code ignored;
  if (options.files.size() == 1 && !std::filesystem::is_directory(first, ignored))
    page.write(page_of_file(first));
  else
    page.write(
        study_page(options.title.empty() ? fmt::format("{}", fmt::join(options.files, " ")) : options.title,
                   options.files));
  page.commit();
  return 0;
}

std::function<int()> set_up_report(CLI::App& app) {
  auto options = std::make_shared<ReportOptions>();
  app.add_option("RESULT…", options->files,
                 "a result, as --json writes it: its page; several, or a folder of results: a study of all")
      ->required();
  app.add_option("-o,--output", options->page, "the page to write")->type_name("PAGE.html")->required();
  app.add_option("--title", options->title, "title of a study [the names of its files]")->type_name("TEXT");
  return [options] { return make_report(*options); };
}

}  // namespace

const Command kReportCommand{
    .name = "report",
    .usage = "RESULT… -o PAGE.html",
    .summary = "make the page of a saved result, or of many results as a study",
    .examples =
        "  psim run --json run.json ./a.out && psim report run.json -o run.html\n"
        "  psim run --sweep l1d.bytes='64 KiB,128 KiB' --into points ./a.out && psim report points -o "
        "study.html\n"
        "  psim report --title \"L1 and L2\" small.json large.json -o study.html\n",
    .setup = set_up_report,
};

}  // namespace psim::commands
