// SPDX-License-Identifier: Apache-2.0
#include "isa/assembler/expansion.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/read_file.h"
#include "isa/assembler/comments.h"

namespace psim::isa::assembler {
namespace {

constexpr std::size_t kDeepestSource = 200;
constexpr std::uint64_t kMostLines = 20'000'000;

bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$';
}
bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && (is_blank(text.back()) || text.back() == '\r')) text.remove_suffix(1);
  return text;
}
std::string without_quotes(std::string_view text) {
  const bool quoted = text.size() > 1 && text.front() == '"' && text.back() == '"';
  return std::string(quoted ? text.substr(1, text.size() - 2) : text);
}

/// Splits at `separator` outside quotes and parentheses.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  int depth = 0;
  bool quoted = false;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    if (at < text.size()) {
      const char c = text[at];
      if (c == '"' && (at == 0 || text[at - 1] != '\\')) quoted = !quoted;
      if (!quoted && (c == '(' || c == '[')) ++depth;
      if (!quoted && (c == ')' || c == ']')) --depth;
      if (c != separator || quoted || depth > 0) continue;
    }
    parts.push_back(text.substr(begin, at - begin));
    begin = at + 1;
  }
  return parts;
}
std::vector<std::string> arguments(std::string_view text) {
  std::vector<std::string> list;
  if (trimmed(text).empty()) return list;
  for (const std::string_view part : split(text, ',')) list.push_back(without_quotes(trimmed(part)));
  return list;
}

/// The first word of a statement after its labels, and the rest.
struct Head {
  std::size_t labels = 0;  ///< characters before it
  std::string_view word, rest;
};
Head head_of(std::string_view statement) {
  Head head;
  std::size_t at = 0;
  for (;;) {
    while (at < statement.size() && is_blank(statement[at])) ++at;
    std::size_t end = at;
    while (end < statement.size() && is_name(statement[end])) ++end;
    if (end > at && end < statement.size() && statement[end] == ':') {
      at = end + 1;
      continue;
    }
    head.labels = at, head.word = statement.substr(at, end - at), head.rest = statement.substr(end);
    return head;
  }
}

bool opens(std::string_view word, std::string_view opened) {
  if (opened == ".macro") return word == ".macro";
  return word == ".rept" || word == ".irp";
}

/// Replaces \NAME of a parameter by its value, \@ by the number of the call, \() by nothing.
std::string substituted(const std::string& line,
                        const std::map<std::string, std::string, std::less<>>& values, std::uint64_t calls) {
  std::string out;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] != '\\' || at + 1 == line.size()) {
      out += line[at];
      continue;
    }
    if (line[at + 1] == '@') {
      out += std::to_string(calls), ++at;
      continue;
    }
    if (line.compare(at + 1, 2, "()") == 0) {
      at += 2;
      continue;
    }
    std::size_t end = at + 1;
    while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) || line[end] == '_'))
      ++end;
    const auto found = values.find(std::string_view(line).substr(at + 1, end - at - 1));
    if (found == values.end()) {
      out += line[at];
      continue;
    }
    out += found->second;
    at = end - 1;
  }
  return out;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

}  // namespace

Expansion::Expansion(std::string_view text, std::string file, Evaluate evaluate)
    : file_(std::move(file)), evaluate_(std::move(evaluate)) {
  sources_.push_back({.lines = lines_of(text), .numbered = true});
}

std::string Expansion::within() const {
  std::string all;
  for (auto source = sources_.rbegin(); source != sources_.rend(); ++source) {
    if (source->name.empty()) continue;
    all += fmt::format("{}{}", all.empty() ? "" : ", ", source->name);
    if (source->numbered) all += fmt::format(":{}", source->at);
  }
  return all;
}

bool Expansion::read(std::string& line) {
  while (sources_.size() > 1 && sources_.back().at == sources_.back().lines.size()) sources_.pop_back();
  Source& source = sources_.back();
  if (source.at == source.lines.size()) return false;
  line = source.lines[source.at++];
  if (sources_.size() == 1) number_ = static_cast<std::uint32_t>(source.at);
  if (++lines_ > kMostLines) {
    sources_.resize(1);
    sources_[0].at = sources_[0].lines.size();
    throw Complaint{
        1, fmt::format("got more than {} lines of macros and repetitions, expected fewer", kMostLines)};
  }
  return true;
}

bool Expansion::next(std::string& line) {
  while (read(line)) {
    // A line without directives or macros passes unchanged, with its columns.
    const std::vector<std::string_view> statements = split(line, ';');
    const bool special = std::ranges::any_of(statements, [this](std::string_view statement) {
      const std::string_view word = head_of(statement).word;
      return macros_.contains(word) || word == ".macro" || word == ".rept" || word == ".irp" ||
             word == ".include" || word == ".endm" || word == ".endr" || word == ".purgem" ||
             word == ".error" || word.starts_with(".if") || word == ".else" || word == ".elseif" ||
             word == ".endif";
    });
    const bool skipped = !conditions_.empty() && !conditions_.back().taken;
    if (!special) {
      if (skipped) continue;
      return true;
    }
    const std::string whole = line;
    if (statements.size() > 1) {  // each separately, at its column
      Source each;
      for (const std::string_view part : split(whole, ';'))
        each.lines.push_back(std::string(static_cast<std::size_t>(part.data() - whole.data()), ' ') +
                             std::string(part));
      enter(std::move(each), 1);
      continue;
    }
    const Head head = head_of(whole);
    const auto column = static_cast<std::uint32_t>(head.labels + 1);
    if (condition(head.word, head.rest, column)) continue;
    if (skipped) continue;
    const bool labels = !trimmed(std::string_view(whole).substr(0, head.labels)).empty();
    if (labels) {  // labels are defined here in any case
      Source& source = sources_.back();
      source.lines[--source.at] = std::string(head.labels, ' ') + whole.substr(head.labels);
      line = whole.substr(0, head.labels);
      return true;
    }
    handle(head.word, head.rest, column);
  }
  if (!conditions_.empty() && !ended_) {
    ended_ = true;
    throw Complaint{1, "got the end of the file, expected .endif"};
  }
  return false;
}

void Expansion::enter(Source source, std::uint32_t column) {
  if (sources_.size() >= kDeepestSource)
    throw Complaint{column,
                    fmt::format("got macros, repetitions or files within each other {} deep, expected fewer",
                                kDeepestSource)};
  sources_.push_back(std::move(source));
}

void Expansion::handle(std::string_view word, std::string_view rest, std::uint32_t column) {
  if (word == ".macro")
    define(rest, column);
  else if (word == ".rept")
    repeat(rest, column);
  else if (word == ".irp")
    repeat_for(rest, column);
  else if (word == ".include")
    include(rest, column);
  else if (word == ".purgem")
    macros_.erase(std::string(trimmed(rest)));
  else if (word == ".error")
    throw Complaint{column, fmt::format("got .error: {}", without_quotes(trimmed(rest)))};
  else if (const auto macro = macros_.find(word); macro != macros_.end())
    call(macro->first, macro->second, rest, column);
  else
    throw Complaint{column, fmt::format("got {} alone, expected what it ends", word)};
}

bool Expansion::holds(std::string_view word, std::string_view rest, std::uint32_t column) {
  if (word == ".ifc" || word == ".ifnc") {
    const std::vector<std::string> both = arguments(rest);
    if (both.size() != 2) throw Complaint{column, fmt::format("got {} strings, expected two", both.size())};
    return (both[0] == both[1]) == (word == ".ifc");
  }
  if (word != ".if" && word != ".elseif")
    throw Complaint{column, fmt::format("got {}, expected .if, .ifc or .ifnc", word)};
  // "<<" and ">>" shift.
  for (std::size_t at = 0; at < rest.size(); ++at) {
    const char c = rest[at], after = at + 1 < rest.size() ? rest[at + 1] : '\0';
    if ((c == '<' || c == '>') && after == c) {
      ++at;
      continue;
    }
    const bool two = (c == '=' && after == '=') || (c == '!' && after == '=') ||
                     ((c == '<' || c == '>') && after == '=') || (c == '<' && after == '>');
    if (!two && c != '<' && c != '>') continue;
    const std::int64_t a = evaluate_(rest.substr(0, at)), b = evaluate_(rest.substr(at + (two ? 2 : 1)));
    if (c == '=') return a == b;
    if (c == '!' || after == '>') return a != b;
    if (c == '<') return two ? a <= b : a < b;
    return two ? a >= b : a > b;
  }
  return evaluate_(rest) != 0;
}

bool Expansion::condition(std::string_view word, std::string_view rest, std::uint32_t column) {
  if (word.starts_with(".if")) {
    const bool outside = conditions_.empty() || conditions_.back().taken;
    conditions_.push_back({false, true});
    if (!outside) return true;
    const bool taken = holds(word, rest, column);
    conditions_.back() = {taken, taken};
    return true;
  }
  if (word != ".else" && word != ".elseif" && word != ".endif") return false;
  if (conditions_.empty()) throw Complaint{column, fmt::format("got {} without .if", word)};
  if (word == ".endif") {
    conditions_.pop_back();
    return true;
  }
  Condition& now = conditions_.back();
  if (now.has_else) throw Complaint{column, fmt::format("got {} behind .else, expected .endif", word)};
  now.has_else = word == ".else";
  now.taken = !now.done && (now.has_else || holds(word, rest, column));
  now.done |= now.taken;
  return true;
}

std::vector<std::string> Expansion::body(std::string_view opened, std::uint32_t column) {
  const std::string_view closed = opened == ".macro" ? ".endm" : ".endr";
  std::vector<std::string> lines;
  unsigned depth = 1;
  Source& source = sources_.back();
  while (source.at < source.lines.size()) {
    const std::string& line = source.lines[source.at++];
    const std::string_view word = head_of(line).word;
    if (opens(word, opened)) ++depth;
    if (word == closed && --depth == 0) return lines;
    lines.push_back(line);
  }
  throw Complaint{column,
                  fmt::format("got {} and the end of what it stands in, expected {}", opened, closed)};
}

void Expansion::define(std::string_view rest, std::uint32_t column) {
  rest = trimmed(rest);
  std::size_t end = 0;
  while (end < rest.size() && is_name(rest[end])) ++end;
  const std::string name(rest.substr(0, end));
  Macro macro;
  rest = trimmed(rest.substr(end));
  if (rest.starts_with(',')) rest.remove_prefix(1);
  if (!rest.empty())
    for (const std::string_view part : split(rest, ',')) {
      std::string_view text = trimmed(part);
      Parameter parameter;
      if (const std::size_t equals = text.find('='); equals != std::string_view::npos)
        parameter.standard = without_quotes(trimmed(text.substr(equals + 1))),
        text = trimmed(text.substr(0, equals));
      if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
        const std::string_view kind = trimmed(text.substr(colon + 1));
        parameter.required = kind == "req", parameter.rest = kind == "vararg";
        text = trimmed(text.substr(0, colon));
      }
      parameter.name = text;
      macro.parameters.push_back(std::move(parameter));
    }
  macro.body = body(".macro", column);
  if (name.empty()) throw Complaint{column, "got .macro without a name, expected .macro NAME parameters"};
  macros_[name] = std::move(macro);
}

void Expansion::call(const std::string& name, const Macro& macro, std::string_view rest,
                     std::uint32_t column) {
  std::map<std::string, std::string, std::less<>> values;
  for (const Parameter& parameter : macro.parameters) values[parameter.name] = parameter.standard;
  std::vector<bool> given(macro.parameters.size());
  std::size_t index = 0;
  for (const std::string& argument : arguments(rest)) {
    const std::size_t equals = argument.find('=');
    const auto keyword =
        std::ranges::find(macro.parameters, trimmed(std::string_view(argument).substr(0, equals)),
                          [](const Parameter& p) { return std::string_view(p.name); });
    if (equals != std::string::npos && keyword != macro.parameters.end()) {
      values[keyword->name] = without_quotes(trimmed(std::string_view(argument).substr(equals + 1)));
      given[static_cast<std::size_t>(keyword - macro.parameters.begin())] = true;
      continue;
    }
    if (index < macro.parameters.size() && macro.parameters[index].rest && given[index]) {
      values[macro.parameters[index].name] += "," + argument;
      continue;
    }
    if (index == macro.parameters.size())
      throw Complaint{column,
                      fmt::format("got {} with more than {} arguments", name, macro.parameters.size())};
    if (!argument.empty()) values[macro.parameters[index].name] = argument, given[index] = true;
    if (!macro.parameters[index].rest) ++index;
  }
  for (std::size_t i = 0; i < given.size(); ++i)
    if (macro.parameters[i].required && !given[i])
      throw Complaint{column, fmt::format("got {} without {}, expected it", name, macro.parameters[i].name)};
  Source source{.name = "macro " + name};
  for (const std::string& line : macro.body) source.lines.push_back(substituted(line, values, calls_));
  ++calls_;
  enter(std::move(source), column);
}

void Expansion::repeat(std::string_view rest, std::uint32_t column) {
  const std::vector<std::string> lines = body(".rept", column);
  const std::int64_t count = evaluate_(rest);
  if (count < 0 || static_cast<std::uint64_t>(count) * std::max<std::size_t>(lines.size(), 1) > kMostLines)
    throw Complaint{column, fmt::format("got {} repetitions, expected 0 … {} lines", count, kMostLines)};
  Source source{.name = ".rept"};
  for (std::int64_t n = 0; n < count; ++n)
    source.lines.insert(source.lines.end(), lines.begin(), lines.end());
  enter(std::move(source), column);
}

void Expansion::repeat_for(std::string_view rest, std::uint32_t column) {
  std::vector<std::string> values = arguments(rest);
  const std::vector<std::string> lines = body(".irp", column);
  if (values.empty()) throw Complaint{column, "got .irp without a name, expected .irp NAME, values"};
  const std::string name = values.front();
  values.erase(values.begin());
  if (values.empty()) values.emplace_back();
  Source source{.name = ".irp"};
  for (const std::string& value : values)
    for (const std::string& line : lines) source.lines.push_back(substituted(line, {{name, value}}, calls_));
  enter(std::move(source), column);
}

void Expansion::include(std::string_view rest, std::uint32_t column) {
  const std::string name = without_quotes(trimmed(rest));
  const std::filesystem::path beside = std::filesystem::path(file_).parent_path() / name;
  for (const std::filesystem::path& path : {std::filesystem::path(name), beside}) {
    const FileBytes file = read_file(path);
    if (name.empty() || !file.problem.empty()) continue;
    const Stripped stripped = strip_comments(file.bytes);
    if (stripped.unterminated_line != 0)
      throw Complaint{column, fmt::format("got the end of {} in a comment, expected */", name)};
    enter({.lines = lines_of(stripped.text), .name = name, .numbered = true}, column);
    return;
  }
  throw Complaint{column,
                  fmt::format("got {}, expected a file that can be read, in this directory or beside {}",
                              name.empty() ? "nothing" : name, file_)};
}

}  // namespace psim::isa::assembler
