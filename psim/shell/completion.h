// SPDX-License-Identifier: Apache-2.0
// Completion scripts of shells, made from the table of commands. The scripts call `psim completion --words
// KIND` for machines, keys and experiments, so that these need no renewal.
#pragma once

#include <string>

#include "psim/shell/command_words.h"

namespace psim {

std::string bash_completion(const CommandWords& psim);
std::string zsh_completion(const CommandWords& psim);
std::string fish_completion(const CommandWords& psim);

/// Returns the word for KIND in `psim completion --words KIND`; empty if the kind needs none.
std::string words_kind(WordKind kind);

/// Returns a text up to its first full stop, semicolon or bracket, for the short descriptions of shells.
std::string short_text(const std::string& text);

/// Returns `text` in single quotes as bash, zsh and fish read them. `backslash`: a backslash is doubled
/// (fish).
std::string shell_quoted(const std::string& text, bool fish = false);

}  // namespace psim
