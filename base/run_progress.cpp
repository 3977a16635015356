// SPDX-License-Identifier: Apache-2.0
#include "base/run_progress.h"

#include <fmt/format.h>

#include "base/progress.h"

namespace psim {

std::string progress_line(double seconds, const std::vector<std::string>& labels,
                          const std::vector<TaskView>& views) {
  std::size_t ended = 0;
  std::string running;
  for (std::size_t i = 0; i < views.size(); ++i) {
    ended += views[i].ended;
    if (!views[i].started || views[i].ended) continue;
    running += "  " + labels[i];
  }
  return fmt::format("{}, {}: {} of {} simulations{}", duration_text(seconds),
                     time_left(seconds, static_cast<double>(ended) / static_cast<double>(views.size())),
                     ended, views.size(), running);
}

std::vector<std::string> do_all_shown(const std::vector<Task>& tasks, const std::vector<std::string>& labels,
                                      unsigned jobs, bool quiet) {
  Progress progress(quiet);
  return do_all(tasks, jobs, [&](const std::vector<TaskView>& views) {
    progress.update([&](double elapsed) { return progress_line(elapsed, labels, views); });
  });
}

}  // namespace psim
