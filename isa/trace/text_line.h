// SPDX-License-Identifier: Apache-2.0
// A line of a text trace, parsed by its grammar (docs/traces.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace psim::isa::trace {

struct TextLine {
  enum class Kind : std::uint8_t {
    Empty,
    Head,      ///< numbers: version
    Property,  ///< name, text
    Text,      ///< numbers: address, words
    NoText,    ///< numbers: address, bytes
    Zeros,     ///< numbers: address, pages
    Window,    ///< numbers: CWP
    Simd,      ///< numbers: state (0, 1), enabled PEs
    Transfer,  ///< arguments: number, put (0, 1), tag, PEs, memory, strides, SBM offset and pitch, row bytes,
               ///< rows
    Wait,
    Signal,
    Spill,  ///< numbers: address of the save area, window
    Fill,
    Begin,        ///< name, arguments
    End,          ///< name
    Instruction,  ///< numbers: pc, word
  };
  Kind kind = Kind::Empty;
  std::string name, text;
  std::vector<std::uint64_t> numbers;
  std::vector<std::int64_t> arguments;
  std::optional<std::uint64_t> address, target;  ///< of an instruction
  std::optional<std::uint64_t> sbm, tags;        ///< offset of an SBM access; tags that an sbmsync waits for
  std::optional<bool> taken;
  std::uint32_t column = 1;  ///< of the first item on the line
};

/// A mistake in a line: column from 1, and the text "got …, expected …".
struct TextComplaint {
  std::uint32_t column = 1;
  std::string text;
};

/// Throws TextComplaint.
TextLine parse_text_line(std::string_view line);

}  // namespace psim::isa::trace
