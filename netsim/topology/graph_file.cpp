// SPDX-License-Identifier: Apache-2.0
#include "netsim/topology/graph_file.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace psim::net {

// The tokens of a DOT file.

class DotReader {
 public:
  DotReader(std::string_view text, std::string name) : text_(text), name_(std::move(name)) { next(); }

  struct Word {
    std::string text;     ///< "{", "--", "=", an identifier, …; empty at the end of the file
    bool is_id = false;   ///< an identifier, number or quoted string
    bool quoted = false;  ///< then "graph" is a name, not a keyword
    std::uint32_t line = 1;
  };
  const Word& word() const { return word_; }
  bool at_end() const { return !word_.is_id && word_.text.empty(); }
  bool is(std::string_view symbol) const { return !word_.quoted && word_.text == symbol; }
  /// Returns the present word and moves on.
  Word take();
  /// Moves on if the present word is `symbol`.
  bool skip(std::string_view symbol);
  /// Throws unless the present word is `symbol`; moves on.
  void expect(std::string_view symbol);
  std::string identifier(std::string_view what);
  /// Returns the error "net.dot:3: …".
  UserError error(std::uint32_t line, const std::string& what) const;
  /// Returns the error "expected …, found …" at the present word.
  UserError expected(std::string_view what) const;

 private:
  void next();
  void skip_space();
  void read_quoted();

  std::string_view text_;
  std::string name_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  Word word_;
};

namespace {

bool is_word_character(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return letter || c == '_' || c == '.' || (static_cast<unsigned char>(c) & 0x80) != 0;
}

}  // namespace

void DotReader::skip_space() {
  while (at_ < text_.size()) {
    const std::string_view rest = text_.substr(at_);
    if (rest[0] == '\n') {
      ++line_;
      ++at_;
    } else if (rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r') {
      ++at_;
    } else if (rest.starts_with("//") || rest[0] == '#') {
      at_ += std::min(rest.find('\n'), rest.size());
    } else if (rest.starts_with("/*")) {
      const std::size_t end = rest.find("*/", 2);
      if (end == std::string_view::npos) throw error(line_, "unterminated comment");
      for (const char c : rest.substr(0, end)) line_ += c == '\n';
      at_ += end + 2;
    } else {
      return;
    }
  }
}

void DotReader::read_quoted() {
  for (++at_;; ++at_) {
    if (at_ >= text_.size()) throw error(word_.line, "unterminated quoted string");
    if (text_[at_] == '"') break;
    if (text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] == '"') ++at_;
    if (text_[at_] == '\n') ++line_;
    word_.text += text_[at_];
  }
  ++at_;
  word_.is_id = word_.quoted = true;
}

void DotReader::next() {
  skip_space();
  word_ = {.text = {}, .line = line_};
  if (at_ >= text_.size()) return;
  const std::string_view rest = text_.substr(at_);
  if (rest[0] == '"') return read_quoted();
  if (rest.starts_with("--") || rest.starts_with("->")) {
    word_.text = rest.substr(0, 2);
    at_ += 2;
    return;
  }
  std::size_t length = rest[0] == '-' ? 1 : 0;  // a negative number
  while (length < rest.size() && is_word_character(rest[length])) ++length;
  word_.is_id = length > (rest[0] == '-' ? 1u : 0u);
  word_.text = rest.substr(0, word_.is_id ? length : 1);
  at_ += word_.text.size();
}

DotReader::Word DotReader::take() {
  Word word = word_;
  next();
  return word;
}

bool DotReader::skip(std::string_view symbol) {
  if (!is(symbol)) return false;
  next();
  return true;
}

void DotReader::expect(std::string_view symbol) {
  if (!skip(symbol)) throw expected(symbol);
}

std::string DotReader::identifier(std::string_view what) {
  if (!word_.is_id) throw expected(what);
  return take().text;
}

UserError DotReader::error(std::uint32_t line, const std::string& what) const {
  return UserError(name_ + ":" + std::to_string(line) + ": " + what);
}

UserError DotReader::expected(std::string_view what) const {
  const std::string found = at_end() ? "the end of the file" : "'" + word_.text + "'";
  return error(word_.line, "expected " + std::string(what) + ", found " + found);
}
namespace {

constexpr std::uint32_t kMostNodesOfRouter = 4096, kMostParallel = 64;

struct Attributes {
  std::optional<std::uint32_t> nodes, cables;
  std::optional<std::string> kind, routes;
  std::uint32_t line = 0;  ///< of routes
};

class Parser {
 public:
  Parser(std::string_view text, const std::string& name) : in_(text, name) { file_.name = name; }

  GraphFile run() {
    in_.skip("strict");
    if (in_.is("digraph"))
      throw in_.error(in_.word().line, "a cable leads both ways: expected graph, found digraph");
    in_.expect("graph");
    if (in_.word().is_id) in_.take();
    in_.expect("{");
    while (!in_.skip("}")) statement();
    if (!in_.at_end()) throw in_.expected("the end of the file");
    if (file_.routers.empty()) throw in_.error(in_.word().line, "no routers");
    return std::move(file_);
  }

 private:
  enum class Of : std::uint8_t { Routers, Cables, Drawing };

  void statement() {
    if (in_.skip(";")) return;
    if (in_.is("subgraph") || in_.is("{")) throw in_.error(in_.word().line, "subgraphs are not supported");
    if (in_.is("node") || in_.is("edge") || in_.is("graph")) {
      const std::string what = in_.take().text;
      const Of of = what == "node" ? Of::Routers : what == "edge" ? Of::Cables : Of::Drawing;
      if (!in_.is("[")) throw in_.expected("[");
      const Attributes given = attributes(of);
      if (given.routes) throw in_.error(given.line, "routes: expected as an attribute of one router");
      if (given.nodes) nodes_ = *given.nodes;
      if (given.cables) cables_ = *given.cables;
      if (given.kind) kind_ = *given.kind;
      return;
    }
    const std::uint32_t line = in_.word().line;
    const std::string first = in_.identifier("a router");
    if (in_.skip("=")) {
      in_.identifier("a value");
      return;
    }
    std::vector<std::uint32_t> chain{router(first, line)};
    while (in_.skip("--")) chain.push_back(router(in_.identifier("a router"), line));
    if (in_.is("->")) throw in_.error(in_.word().line, "a cable leads both ways: expected --, found ->");
    if (in_.is(":")) throw in_.error(in_.word().line, "ports of routers are not supported");
    const Attributes given = attributes(chain.size() == 1 ? Of::Routers : Of::Cables);
    if (chain.size() == 1) {
      GraphFile::Router& one = file_.routers[chain[0]];
      if (given.nodes) one.nodes = *given.nodes;
      if (given.routes) one.routes = *given.routes, one.routes_line = given.line;
    }
    for (std::size_t i = 1; i < chain.size(); ++i) join(chain[i - 1], chain[i], given, line);
  }

  void join(std::uint32_t a, std::uint32_t b, const Attributes& given, std::uint32_t line) {
    if (a == b) throw in_.error(line, "a cable from " + file_.routers[a].name + " to itself");
    for (std::uint32_t n = 0; n < given.cables.value_or(cables_); ++n)
      file_.cables.push_back({a, b, given.kind.value_or(kind_)});
    if (file_.cables.size() > GraphFile::kMostCables) throw in_.error(line, "more than 1048576 cables");
  }

  std::uint32_t router(const std::string& name, std::uint32_t line) {
    const auto next = static_cast<std::uint32_t>(file_.routers.size());
    const auto [at, fresh] = numbers_.try_emplace(name, next);
    if (!fresh) return at->second;
    if (next == GraphFile::kMostRouters) throw in_.error(line, "more than 8192 routers");
    file_.routers.push_back({.name = name, .nodes = nodes_, .routes = {}});
    return next;
  }

  std::uint32_t number(const std::string& key, const DotReader::Word& word, std::uint32_t least,
                       std::uint32_t most) {
    std::uint32_t value = 0;
    const char* end = word.text.data() + word.text.size();
    const auto [rest, error] = std::from_chars(word.text.data(), end, value);
    if (rest != end || error != std::errc{} || value < least || value > most)
      throw in_.error(word.line, key + " = " + word.text + ": expected " + std::to_string(least) + " … " +
                                     std::to_string(most));
    return value;
  }

  Attributes attributes(Of of) {
    Attributes given;
    while (in_.skip("[")) {
      while (!in_.skip("]")) {
        const std::uint32_t line = in_.word().line;
        const std::string key = in_.identifier("an attribute or ]");
        in_.expect("=");
        if (!in_.word().is_id) throw in_.expected("a value");
        attribute(given, of, key, line, in_.take());
        if (!in_.skip(",")) in_.skip(";");
      }
    }
    return given;
  }

  void attribute(Attributes& given, Of of, const std::string& key, std::uint32_t line,
                 const DotReader::Word& value) {
    static const std::vector<std::string> kDrawing{
        "label", "xlabel",  "color",   "fillcolor", "fontcolor", "fontname", "fontsize",  "shape",
        "style", "pos",     "width",   "height",    "penwidth",  "comment",  "tooltip",   "group",
        "rank",  "rankdir", "layout",  "splines",   "overlap",   "len",      "weight",    "id",
        "class", "URL",     "bgcolor", "bb",        "margin",    "dir",      "constraint"};
    std::vector<std::string> known = of == Of::Routers  ? std::vector<std::string>{"nodes", "routes"}
                                     : of == Of::Cables ? std::vector<std::string>{"cables", "kind"}
                                                        : std::vector<std::string>{};
    const bool ours = std::find(known.begin(), known.end(), key) != known.end();
    if (ours && key == "nodes") given.nodes = number(key, value, 0, kMostNodesOfRouter);
    if (ours && key == "cables") given.cables = number(key, value, 1, kMostParallel);
    if (ours && key == "kind") given.kind = value.text;
    if (ours && key == "routes") given.routes = value.text, given.line = value.line;
    if (ours || std::find(kDrawing.begin(), kDrawing.end(), key) != kDrawing.end()) return;
    known.insert(known.end(), kDrawing.begin(), kDrawing.end());
    const std::string near = nearest(key, known);
    throw in_.error(line, "unknown attribute " + key + (near.empty() ? "" : "; did you mean " + near + "?"));
  }

  DotReader in_;
  GraphFile file_;
  std::map<std::string, std::uint32_t> numbers_;
  std::uint32_t nodes_ = 1, cables_ = 1;
  std::string kind_ = "link";
};

}  // namespace

GraphFile read_graph(std::string_view text, const std::string& name) { return Parser(text, name).run(); }

}  // namespace psim::net
