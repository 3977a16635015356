// SPDX-License-Identifier: Apache-2.0
#include "ranks/libc/libc_state.h"

#include <stdio_ext.h>
#include <unistd.h>
#include <ext/stdio_sync_filebuf.h>

#include <cstdio>
#include <iostream>
#include <optional>

#include "ranks/program/code_range.h"

namespace psim::net {

LibcState::~LibcState() {
  for (FILE* file : {out, error})
    if (file) std::fclose(file);
}

namespace {

ssize_t write_out(void*, const char* text, std::size_t size) { return ::write(1, text, size); }
ssize_t write_error(void*, const char* text, std::size_t size) { return ::write(2, text, size); }

// Opens a stream over psim's write(): the C library's own streams call the C library's.
FILE* open_stream(cookie_write_function_t* write, int descriptor, int buffering) {
  FILE* file = ::fopencookie(nullptr, "w", {nullptr, write, nullptr, nullptr});
  if (!file) return nullptr;
  // fileno(): used by std::cout without sync_with_stdio.
  file->_fileno = descriptor;
  std::setvbuf(file, nullptr, buffering, BUFSIZ);
  return file;
}

using StreamBuffer = __gnu_cxx::stdio_sync_filebuf<char>;

struct Redirection {
  FILE* old_out = stdout;
  FILE* old_error = stderr;
  FILE* out = open_stream(write_out, 1, _IOFBF);
  FILE* error = open_stream(write_error, 2, _IONBF);
  StreamBuffer out_buffer{out}, error_buffer{error}, log_buffer{error};
  std::streambuf* old_cout = nullptr;
  std::streambuf* old_cerr = nullptr;
  std::streambuf* old_clog = nullptr;
  std::optional<CppState> new_process;
  CodeRange library = CodeRange::of_file("/libstdc++.so");

  std::terminate_handler old_terminate;

  explicit Redirection(std::terminate_handler terminate) : old_terminate(std::set_terminate(terminate)) {
    std::cout.flush();
    std::fflush(old_out);
    stdout = out;
    stderr = error;
    old_cout = std::cout.rdbuf(&out_buffer);
    old_cerr = std::cerr.rdbuf(&error_buffer);
    old_clog = std::clog.rdbuf(&log_buffer);
    new_process.emplace();
  }
  ~Redirection() {
    std::set_terminate(old_terminate);
    std::cout.flush();
    std::cout.rdbuf(old_cout);
    std::cerr.rdbuf(old_cerr);
    std::clog.rdbuf(old_clog);
    stdout = old_out;
    stderr = old_error;
    std::fclose(out);
    std::fclose(error);
  }
};

std::optional<Redirection> redirection;
int users = 0;

}  // namespace

StandardStreams::StandardStreams(std::terminate_handler terminate) {
  if (users++ == 0) redirection.emplace(terminate);
}

StandardStreams::~StandardStreams() {
  if (--users == 0) redirection.reset();
}

void StandardStreams::flush() {
  // A program that called sync_with_stdio(false) has given std::cout a buffer of the library, which all ranks
  // share. Its own buffers may be gone, or send messages when they are flushed.
  if (redirection->library.contains(std::cout.rdbuf())) std::cout.rdbuf()->pubsync();
  if (::__fpending(redirection->out) != 0) std::fflush(redirection->out);
}

void StandardStreams::terminate_as_before() { redirection->old_terminate(); }

FILE* StandardStreams::shared(Stream stream) {
  return stream == Stream::Out ? redirection->out : redirection->error;
}

void StandardStreams::enter(const LibcState* state) {
  stdout = state && state->out ? state->out : redirection->out;
  stderr = state && state->error ? state->error : redirection->error;
}

void StandardStreams::save_cpp(std::unique_ptr<LibcState>& state) {
  const CppState present;
  if (present == *redirection->new_process) {
    if (state) state->cpp_state.reset();
    return;
  }
  if (!state) state = std::make_unique<LibcState>();
  if (state->cpp_state)
    *state->cpp_state = present;
  else
    state->cpp_state = std::make_unique<CppState>(present);
  redirection->new_process->enter();
}

void enter_getopt(LibcState* state) {
  const LibcState::GetOpt values = state ? state->getopt : LibcState::GetOpt{};
  ::optarg = values.optarg;
  ::optind = values.optind;
  ::opterr = values.opterr;
  ::optopt = values.optopt;
}

bool getopt_used() { return ::optind != 1 || ::opterr != 1 || ::optarg || ::optopt != '?'; }

void save_getopt(LibcState& state) { state.getopt = {::optarg, ::optind, ::opterr, ::optopt}; }

}  // namespace psim::net
