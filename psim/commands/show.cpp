// SPDX-License-Identifier: Apache-2.0
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "base/console.h"
#include "psim/commands/command.h"
#include "psim/commands/result_file.h"
#include "report/terminal_text.h"

namespace psim::commands {
namespace {

/// Returns the size of the terminal, if standard output is one.
report::ScreenSize screen_size() {
  report::ScreenSize screen;
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0 && size.ws_row != 0)
    screen = {.columns = std::max<std::size_t>(40, size.ws_col),
              .lines = std::max<std::size_t>(16, size.ws_row - 2U)};
  return screen;
}

int show(const std::vector<std::string>& files) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (i != 0) console::print("\n");
    console::print("{}", report::terminal_text(page_of_file(files[i]), screen_size()));
  }
  return 0;
}

std::function<int()> set_up_show(CLI::App& app) {
  auto files = std::make_shared<std::vector<std::string>>();
  app.add_option("RESULT…", *files, "results, as --json writes them")->required();
  return [files] { return show(*files); };
}

}  // namespace

const Command kShow{
    .name = "show",
    .usage = "RESULT…",
    .summary = "print what the page of a result shows, on one screen of the terminal",
    .examples = "  psim run --json run.json ./a.out && psim show run.json\n",
    .setup = set_up_show,
};

}  // namespace psim::commands
