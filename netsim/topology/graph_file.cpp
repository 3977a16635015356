// SPDX-License-Identifier: Apache-2.0
#include "netsim/topology/graph_file.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/error.h"
#include "base/parse_number.h"
#include "netsim/topology/dot_reader.h"

namespace psim::net {
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
    const auto value = parse_number<std::uint32_t>(word.text);
    if (!value || value < least || value > most)
      throw in_.error(word.line, key + " = " + word.text + ": expected " + std::to_string(least) + " … " +
                                     std::to_string(most));
    return *value;
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
    throw in_.error(line, "unknown attribute " + key + did_you_mean(key, known));
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
