// SPDX-License-Identifier: Apache-2.0
// Standard output and standard error of psim's programs. Everything that psim prints goes through here, so
// that
//   - control characters from files reach no terminal (base/printable.h),
//   - no byte of a result is lost in silence: what standard output does not take is an error,
//   - a diagnostic that cannot be written never ends a run,
//   - the progress line (base/progress.h) gives way to every other text.
// Streams of the process are global, and so is this state.
#pragma once

#include <fmt/format.h>

#include <string_view>

namespace psim::console {

/// Occupies descriptors 0 to 2 as far as they are closed, so that no file of psim's gets their numbers.
/// Reading and writing them fails as before (EBADF). Call first in main().
void reserve_descriptors();
/// Returns true if reserve_descriptors() occupies this descriptor: the process was started without it.
bool is_reserved(int descriptor);

/// Writes to standard output, escaped. Throws UserError if it cannot be written.
void write(std::string_view text);
/// Writes to standard output as it is: the caller vouches for escape sequences. Throws UserError.
void write_verbatim(std::string_view text);
/// Writes to standard error, escaped. A failure is ignored.
void log_text(std::string_view text) noexcept;

template <class... Arguments>
void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  write(fmt::vformat(format, fmt::make_format_args(arguments...)));
}
template <class... Arguments>
void log(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  log_text(fmt::vformat(format, fmt::make_format_args(arguments...)));
}

/// Passes on what a simulated program prints, as it is. `descriptor` is 1 or 2. Never throws: finish()
/// reports what standard output did not take.
void pass_on(int descriptor, std::string_view text) noexcept;

/// Output of a simulated program for standard output is lost for the reason `error`, an errno: finish()
/// reports it.
void note_lost(int error) noexcept;

/// Writes out what is buffered. Throws UserError if any byte since the start could not be written.
void finish();

// ---- for base/progress.h ----

/// Replaces the line at the cursor of the terminal by `line`, as far as it fits. Waits while a program's
/// output stands in an unfinished line.
void show_line(std::string_view line) noexcept;
/// Removes the line, so that something else can be printed.
void clear_line() noexcept;
/// A simulated program is about to write to this host descriptor, past psim. `last` is its last byte.
void before_program_writes(int descriptor, char last) noexcept;

}  // namespace psim::console
