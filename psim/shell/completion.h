// SPDX-License-Identifier: Apache-2.0
// Completion of psim's command line in shells. The script of a shell passes the words to `psim completion
// --line` and offers what that prints.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "psim/shell/command_words.h"

namespace psim {

/// The offer of a shell for the last word of a command line.
struct Completion {
  enum class Kind : unsigned char {
    Words,    ///< these words alone
    Keys,     ///< these words, which go on with "="
    Files,    ///< these words, and names of files
    Folders,  ///< names of folders
  };
  Kind kind = Kind::Words;
  std::vector<std::pair<std::string, std::string>> words;  ///< with their meaning
};

/// Completes the last of the words that follow "psim". Of --OPTION=VALUE the value is completed. "=" may be a
/// word of its own, as in bash. `list` returns the words of a kind that is a list.
Completion complete(const CommandWords& psim, std::span<const std::string> line,
                    const std::function<std::vector<std::string>(WordKind)>& list);

/// Returns the kind, and then each word with a tab before its meaning, one per line.
std::string text_of(const Completion& completion);

/// Returns the script of "bash", "zsh" or "fish".
std::string_view completion_script(std::string_view shell);

}  // namespace psim
