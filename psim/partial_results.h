// SPDX-License-Identifier: Apache-2.0
// The result of a run so far, while the run goes on: at SIGUSR1, and with --partial-every.
//
// At a point where the run could be interrupted, the process is copied (fork). The copy ends as if the run
// had been interrupted there, and writes the result and its page; the original waits for it and goes on. So
// partial results change nothing in the run, whatever its ending does.
//
//     PartialResults partials(options.json, options.report, options.every, options.quiet);
//     … at each safe point: if (partials.wanted()) end the run here;
//     … at its end: if (partials.in_copy()) partials.finish(result, so_far, [&] { write the files });
#pragma once

#include <CLI/App.hpp>
#include <chrono>
#include <csignal>
#include <functional>
#include <optional>
#include <string>

#include "base/child_process.h"
#include "base/result_document.h"

namespace psim {

class PartialResults {
 public:
  /// The value of `partial` in such a result.
  static constexpr const char* kRunning = "running";
  /// Why a run of `mpirun` refuses.
  static constexpr const char* kSeveralProcesses =
      "no partial result: the run has several host processes, which cannot be copied; expected one";

  /// Declares --partial-every.
  static void add_option(CLI::App& app, double& seconds);
  /// Takes requests from now on, also after the object's end. `json` and `report` are the files to write, or
  /// empty. `every`: seconds between results without a request, 0: none. Throws UserError if no file can be
  /// written. One object at a time.
  PartialResults(const std::string& json, const std::string& report, double every, bool quiet);
  PartialResults(const PartialResults&) = delete;
  PartialResults& operator=(const PartialResults&) = delete;

  /// Answers each request with this line from now on, because the run cannot be copied; an empty one is not
  /// printed. Throws UserError with it if --partial-every was given.
  void refuse(const std::string& line);
  /// Call at points where the run can end, at any rate. Returns true only in a copy of the process, which
  /// must end the run there without executing more of the program, and then call finish().
  bool wanted() { return in_copy_ || ((requested_ != 0 || every_.count() > 0) && due() && copy()); }
  bool in_copy() const { return in_copy_; }
  /// Returns true if a request may come that is not refused.
  bool possible() const { return possible_; }

  /// The part of a run that has passed. `of` says what `fraction` counts: "instructions of the trace".
  struct SoFar {
    std::optional<double> seconds = {}, fraction = {};  ///< simulated time; share of the whole
    std::string of = {};
  };
  /// In the copy: states that the result is partial, calls `write`, and ends the process.
  [[noreturn]] void finish(ResultDocument& result, const SoFar& so_far, const std::function<void()>& write);
  /// In the copy: ends the process; the original prints why there is no result.
  [[noreturn]] void give_up(const std::string& why);

  /// Makes a process that shares psim's name with a run ignore requests.
  static void ignore_requests();

 private:
  using Clock = std::chrono::steady_clock;
  bool due() const;
  bool copy();
  void begin_copy(Pipe& answer);
  [[noreturn]] void answer(char kind, const std::string& text);

  static volatile std::sig_atomic_t requested_;
  const std::chrono::duration<double> every_;
  Clock::time_point next_;    ///< without a request
  Clock::time_point rested_;  ///< the least time of another copy
  std::string files_;         ///< for the user
  bool quiet_, possible_, in_copy_ = false;
  int answer_ = -1;             ///< in the copy: to the original
  double cpu_before_copy_ = 0;  ///< seconds
};

}  // namespace psim
