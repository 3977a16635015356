// SPDX-License-Identifier: Apache-2.0
// Expands macros, repetitions, conditions and included files into the lines to assemble. The directives are
// GNU as's: .macro .endm .purgem .rept .irp .endr .include .if .ifc .ifnc .else .elseif .endif .error.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "isa/assembler/syntax.h"

namespace psim::isa::assembler {

class Expansion {
 public:
  /// Returns the value of an expression that must be known now; throws Complaint.
  using Evaluate = std::function<std::int64_t(std::string_view expression)>;

  /// `text` has no comments; included files are also searched next to `file`.
  Expansion(std::string_view text, std::string file, Evaluate evaluate);

  /// Returns the next line to assemble in `line`; false at the end. Throws Complaint about an expansion
  /// directive; the next call continues after it.
  bool next(std::string& line);
  /// Returns the number, from 1, of the file's own line that led to the last line.
  std::uint32_t number() const { return number_; }
  /// Returns "macro name", "file.inc:7" …, for messages; empty in the file's own lines.
  std::string within() const;

 private:
  struct Source {
    std::vector<std::string> lines{};
    std::size_t at = 0;
    std::string name{};  ///< empty: the file itself
    bool numbered = false;
  };
  struct Parameter {
    std::string name, standard;
    bool required = false, rest = false;
  };
  struct Macro {
    std::vector<Parameter> parameters;
    std::vector<std::string> body;
  };
  struct Condition {
    bool taken, done, has_else = false;  ///< this part is assembled; an earlier part was
  };

  bool read(std::string& line);
  void enter(Source source, std::uint32_t column);
  void handle(std::string_view word, std::string_view rest, std::uint32_t column);
  bool condition(std::string_view word, std::string_view rest, std::uint32_t column);
  bool holds(std::string_view word, std::string_view rest, std::uint32_t column);
  std::vector<std::string> body(std::string_view opened, std::uint32_t column);
  void define(std::string_view rest, std::uint32_t column);
  void call(const std::string& name, const Macro& macro, std::string_view rest, std::uint32_t column);
  void repeat(std::string_view rest, std::uint32_t column);
  void repeat_for(std::string_view rest, std::uint32_t column);
  void include(std::string_view rest, std::uint32_t column);

  std::string file_;
  Evaluate evaluate_;
  std::vector<Source> sources_;
  std::map<std::string, Macro, std::less<>> macros_;
  std::vector<Condition> conditions_;
  std::uint32_t number_ = 0;
  std::uint64_t calls_ = 0, lines_ = 0;
  bool ended_ = false;
};

}  // namespace psim::isa::assembler
