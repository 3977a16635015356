// SPDX-License-Identifier: Apache-2.0
#include "psim/partial_results.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/console.h"
#include "base/error.h"
#include "base/output_file.h"
#include "psim/commands/command.h"

namespace psim {
namespace {

constexpr char kWritten = 'W', kFailed = 'F';  // the first byte of a copy's answer

pid_t owner = 0;                  // the process that takes requests
std::array<char, 256> refusal{};  // a line, also for the handler
std::size_t refusal_bytes = 0;    // 0: no line
volatile std::sig_atomic_t refuses = 0;

std::chrono::steady_clock::duration ticks(std::chrono::duration<double> time) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(time);
}

double cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Copies this process. Its end sends no SIGCHLD, which a simulated program could see, and it is none of the
/// children for which a program waits.
pid_t copy_process() { return static_cast<pid_t>(::syscall(SYS_clone, 0UL, nullptr, nullptr, nullptr, 0UL)); }

/// "1.5 ms, 31 % of the instructions of the trace"
std::string text_of(const PartialResults::SoFar& so_far) {
  std::string text = so_far.seconds ? fmt::format("{:.6g} ms simulated", *so_far.seconds * 1e3) : "";
  if (so_far.fraction)
    text += fmt::format("{}{:.0f} % of the {}", text.empty() ? "" : ", ", 100 * *so_far.fraction, so_far.of);
  return text;
}

/// Replaces the ending of a network's side and of its jobs, which the copy has interrupted.
void mark_running(nlohmann::ordered_json& body) {
  if (!body.contains("ending")) return;
  body["ending"] = PartialResults::kRunning;
  if (!body.contains("jobs")) return;
  for (auto& job : body["jobs"])
    if (job["ending"] == "interrupted") {
      job["ending"] = PartialResults::kRunning;
      job.erase("exit_status");
    }
}

/// In a handler: lets the signal have its default action once the handler returns.
void take_default(int number) {
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  ::sigaction(number, &action, nullptr);
  ::syscall(SYS_kill, ::syscall(SYS_getpid), number);
}

}  // namespace

volatile std::sig_atomic_t PartialResults::requested_ = 0;

void PartialResults::add_option(CLI::App& app, double& seconds) {
  app.add_option("--partial-every", seconds,
                 "write the result so far to --json and --report every SECONDS, while the run goes on; "
                 "SIGUSR1 does so once (docs/results.md)")
      ->type_name("SECONDS")
      ->check(commands::number_in(0.1, 1e9).description(""));
}

PartialResults::PartialResults(const std::string& json, const std::string& report, double every, bool quiet)
    : every_(every), next_(Clock::now() + ticks(every_)), quiet_(quiet), possible_(false) {
  for (const std::string& file : {json, report})
    if (!file.empty() && file != "-") files_ += (files_.empty() ? "" : ", ") + file;
  possible_ = !files_.empty();
  const std::string needs = "a partial result needs a file: expected --json FILE or --report FILE.html";
  if (every > 0 && !possible_) throw UserError("--partial-every: " + needs);
  owner = static_cast<pid_t>(::syscall(SYS_getpid));
  requested_ = 0;
  refuses = 0;
  if (!possible_) refuse("SIGUSR1: " + needs);
  struct sigaction action {
  }, before{};
  // A request is for the run, not for the programs that it has started; those that they send each other are
  // theirs.
  action.sa_sigaction = [](int number, siginfo_t* info, void*) {
    const int error = errno;
    if (::syscall(SYS_getpid) != owner || (info->si_code <= 0 && info->si_pid == owner)) {
      take_default(number);
    } else if (refuses == 0) {
      requested_ = 1;
    } else if (refusal_bytes != 0) {
      ::syscall(SYS_write, STDERR_FILENO, refusal.data(), refusal_bytes);
    }
    errno = error;
  };
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  ::sigaction(SIGUSR1, nullptr, &before);
  if (before.sa_handler == SIG_DFL || (before.sa_flags & SA_SIGINFO) != 0)
    ::sigaction(SIGUSR1, &action, nullptr);
}

void PartialResults::refuse(const std::string& line) {
  if (every_.count() > 0) throw UserError("--partial-every: " + line);
  possible_ = false;
  requested_ = 0;
  const std::string whole = line.empty() ? "" : "psim: " + line + "\n";
  refusal_bytes = std::min(whole.size(), refusal.size());
  std::memcpy(refusal.data(), whole.data(), refusal_bytes);
  refuses = 1;
}

/// Returns true if a copy is to be made now. The run gets at least as much time as its copies.
bool PartialResults::due() const {
  const Clock::time_point now = Clock::now();
  return now >= rested_ && (requested_ != 0 || (every_.count() > 0 && now >= next_));
}

/// Makes the copy. Returns true in it; in the original, false once it has ended.
bool PartialResults::copy() {
  requested_ = 0;
  Pipe pipe;
  const Clock::time_point begin = Clock::now();
  const pid_t original = ::getpid();
  cpu_before_copy_ = cpu_seconds();
  const pid_t child = copy_process();
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != original) ::_exit(1);
    begin_copy(pipe);
    return true;
  }
  std::string text, failure;
  if (child < 0) {
    failure = std::strerror(errno);
  } else {
    pipe.close_write_end();
    text = pipe.read_all();
    int status = 0;
    while (::waitpid(child, &status, __WALL) < 0 && errno == EINTR) {
    }
    if (text.empty())
      failure = WIFSIGNALED(status)
                    ? fmt::format("the process that writes it was ended by signal {}", WTERMSIG(status))
                    : fmt::format("the process that writes it ended with status {}", WEXITSTATUS(status));
    else if (text[0] == kFailed)
      failure = text.substr(1);
  }
  const Clock::time_point end = Clock::now();
  next_ = end + ticks(every_);
  rested_ = end + (end - begin);
  if (!failure.empty())
    console::log("psim: no partial result: {}\n", failure);
  else if (!quiet_)
    console::log("psim: partial result{}: {}\n", text.substr(1), files_);
  return false;
}

void PartialResults::begin_copy(Pipe& pipe) {
  in_copy_ = true;
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) ::signal(number, SIG_DFL);
  answer_ = ::fcntl(pipe.write_end(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  OutputFile::leave_to_original();
  if (const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC); nothing >= 0)
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, descriptor);
  else
    give_up(std::strerror(errno));
}

void PartialResults::answer(char kind, const std::string& text) {
  write_all(answer_, kind + text);
  ::_exit(kind == kWritten ? 0 : 1);
}

void PartialResults::give_up(const std::string& why) { answer(kFailed, why); }

void PartialResults::finish(ResultDocument& result, const SoFar& so_far, const std::function<void()>& write) {
  result.partial(kRunning);
  mark_running(result.body());
  if (result.body().contains("net")) mark_running(result.body()["net"]);
  nlohmann::ordered_json& progress = result.body()["progress"] = nlohmann::ordered_json::object();
  if (so_far.seconds) progress["seconds"] = *so_far.seconds;
  if (so_far.fraction) progress["fraction"] = *so_far.fraction, progress["of"] = so_far.of;
  result.others(cpu_before_copy_, 0);
  std::string problem;
  try {
    write();
    if (OutputFile::committed() == 0) problem = "--json and --report are no files that can be replaced";
  } catch (const std::exception& error) {
    problem = error.what();
  }
  if (!problem.empty()) give_up(problem);
  const std::string text = text_of(so_far);
  answer(kWritten, text.empty() ? "" : " (" + text + ")");
}

void PartialResults::ignore_requests() { ::signal(SIGUSR1, SIG_IGN); }

}  // namespace psim
