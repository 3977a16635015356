// SPDX-License-Identifier: Apache-2.0
#include "psim/reproduce/run_progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

namespace psim::reproduce {
namespace {
std::size_t terminal_columns() {
  winsize size{};
  constexpr std::size_t kUsual = 80;
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsual;
}
}  // namespace

RunProgress::RunProgress(std::vector<std::string> labels, bool quiet)
    : labels_(std::move(labels)),
      enabled_(!quiet && ::isatty(STDERR_FILENO) == 1),
      start_(std::chrono::steady_clock::now()) {}

RunProgress::~RunProgress() {
  if (!shown_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
}

void RunProgress::update(const std::vector<TaskView>& views) {
  if (!enabled_) return;
  const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  std::string line = progress_line(elapsed, labels_, views);
  line.resize(std::min(line.size(), terminal_columns() - 1));  // a line that wraps cannot be cleared
  fmt::print(stderr, "\r\033[K{}", line);
  std::fflush(stderr);
  shown_ = true;
}

std::string progress_line(double seconds, const std::vector<std::string>& labels,
                          const std::vector<TaskView>& views) {
  std::size_t ended = 0;
  std::string running;
  for (std::size_t i = 0; i < views.size(); ++i) {
    ended += views[i].ended;
    if (views[i].started && !views[i].ended)
      running +=
          fmt::format("  {}: {:.1f} M cycles", labels[i], static_cast<double>(views[i].progress) * 1e-6);
  }
  return fmt::format("{:.0f} s  {} of {} simulations{}", seconds, ended, views.size(), running);
}

}  // namespace psim::reproduce
