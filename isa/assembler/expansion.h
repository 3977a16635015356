// SPDX-License-Identifier: Apache-2.0
// Lines as they are assembled: macros, repetitions, conditions and included files worked out. GNU as has
// these directives: .macro .endm .purgem .rept .irp .endr .include .if .ifc .ifnc .else .elseif .endif
// .error.
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
  /// The value of an expression that is known now; throws Complaint.
  using Evaluate = std::function<std::int64_t(std::string_view expression)>;

  /// `text` without comments; files are looked for beside `file`, too.
  Expansion(std::string_view text, std::string file, Evaluate evaluate);

  /// The next line to assemble; false at the end. Throws Complaint about a directive of its own, after which
  /// the next call goes on.
  bool next(std::string& line);
  /// Of the file's own line that led to the last one, from 1.
  std::uint32_t number() const { return number_; }
  /// "macro name", "file.inc:7" …, for messages; empty in the file's own lines.
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
    bool taken, done, has_else = false;  ///< this part is assembled; one of them was
  };

  bool read(std::string& line);
  void enter(Source source, std::uint32_t column);
  bool handle(std::string_view word, std::string_view rest, std::uint32_t column);
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
