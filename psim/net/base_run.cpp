// SPDX-License-Identifier: Apache-2.0
#include "psim/net/base_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/child_process.h"
#include "psim/partial_results.h"

namespace psim {

std::string run_base(const std::function<void(const std::string&)>& run) {
  Pipe json(0);  // results go to inherited descriptors, not to psim's own: base/output_file.h
  ChildProcess child([&] {
    PartialResults::ignore_requests();
    const int nothing = ::open("/dev/null", O_RDWR);
    if (nothing < 0) return 1;
    for (const int descriptor : {0, 1, 2}) ::dup2(nothing, descriptor);
    // An exception ends the child. This process's own run encounters the same problem and reports it.
    run(fmt::format("/dev/fd/{}", json.write_end()));
    return 0;
  });
  json.close_write_end();
  std::string text = json.read_all();
  child.wait();
  return text;
}

}  // namespace psim
