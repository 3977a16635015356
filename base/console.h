// SPDX-License-Identifier: Apache-2.0
// Standard output and standard error of psim's programs. All output of psim passes through here, so that
//   - control characters from files reach no terminal (base/printable.h),
//   - no byte of a result is lost in silence: a byte that standard output refuses is an error,
//   - a diagnostic that cannot be written never ends a run,
//   - the progress line (base/progress.h) is removed before every other text.
// Streams of the process are global, and so is this state.
#pragma once

#include <fmt/format.h>

#include <string_view>

namespace psim::console {

/// Occupies those of descriptors 0 to 2 that are closed, so that no file of psim's gets their numbers.
/// Reading and writing them fails as before (EBADF). Call it first in main().
void reserve_descriptors();
/// Returns true if reserve_descriptors() occupies this descriptor: the process was started without it.
bool is_reserved(int descriptor);

/// Writes escaped text to standard output. Throws UserError if it cannot be written.
void write(std::string_view text);
/// Writes to standard output without escaping: the caller vouches for escape sequences. Throws UserError.
void write_verbatim(std::string_view text);
/// Writes escaped text to standard error. A failure is ignored.
void log_text(std::string_view text) noexcept;

template <class... Arguments>
void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  write(fmt::vformat(format, fmt::make_format_args(arguments...)));
}
template <class... Arguments>
void log(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  log_text(fmt::vformat(format, fmt::make_format_args(arguments...)));
}

/// Passes on the output of a simulated program unchanged. `descriptor` is 1 or 2. Never throws: finish()
/// reports bytes that standard output refused.
void pass_on(int descriptor, std::string_view text) noexcept;

/// Records that output of a simulated program for standard output was lost for the reason `error`, an errno.
/// finish() reports it.
void note_lost(int error) noexcept;

/// Writes out the buffer. Throws UserError if any byte since the start could not be written.
void finish();

// ---- for base/progress.h ----

/// Replaces the line at the terminal's cursor by `line`, as far as it fits. Waits while output of a program
/// stands in an unfinished line.
void show_line(std::string_view line) noexcept;
/// Removes the line, so that other text can be printed.
void clear_line() noexcept;
/// Announces that a simulated program writes to this host descriptor, past psim. `last` is its last byte.
void before_program_writes(int descriptor, char last) noexcept;

}  // namespace psim::console
