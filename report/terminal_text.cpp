// SPDX-License-Identifier: Apache-2.0
#include "report/terminal_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/printable.h"

namespace psim::report {
namespace {

/// Returns at most `most` characters.
std::string cut(std::string text, std::size_t most) {
  if (characters(text) <= most) return text;
  while (characters(text) >= most) {
    while (!text.empty() && (text.back() & 0xc0) == 0x80) text.pop_back();
    text.pop_back();
  }
  return text + "…";
}

/// Returns the text of a piece of HTML: without tags, entities replaced, white space joined.
std::string plain(std::string_view html) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kEntities{{{"&amp;", "&"},
                                                                                    {"&lt;", "<"},
                                                                                    {"&gt;", ">"},
                                                                                    {"&quot;", "\""},
                                                                                    {"&#39;", "'"},
                                                                                    {"&nbsp;", " "},
                                                                                    {"&micro;", "µ"},
                                                                                    {"&hellip;", "…"},
                                                                                    {"&middot;", "·"}}};
  std::string text;
  for (std::size_t at = 0; at < html.size();) {
    if (html[at] == '<') {
      if (html.substr(at).starts_with("<br")) text += ' ';
      at = std::min(html.find('>', at), html.size() - 1) + 1;
      continue;
    }
    const auto entity = std::ranges::find_if(
        kEntities, [&](const auto& one) { return html.substr(at).starts_with(one.first); });
    if (entity != kEntities.end()) {
      text += entity->second;
      at += entity->first.size();
    } else {
      const char c = html[at++] == '\n' ? ' ' : html[at - 1];
      if (c != ' ' || (!text.empty() && text.back() != ' ')) text += c;
    }
  }
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

/// An element: its name, its opening tag and its inside.
struct Element {
  std::string_view name, tag, inside;
  std::size_t end = 0;  ///< after its closing tag
};

/// Returns the element that begins at `at`, "<name". Elements of the same name nest.
Element element_at(std::string_view html, std::size_t at) {
  const std::size_t close = html.find('>', at);
  Element element{.name = html.substr(at + 1, html.find_first_of(" >", at) - at - 1),
                  .tag = html.substr(at, close - at + 1),
                  .inside = {},
                  .end = 0};
  const std::string begin = fmt::format("<{}", element.name), end = fmt::format("</{}>", element.name);
  std::size_t depth = 1, from = close + 1;
  while (depth != 0) {
    const std::size_t next_end = html.find(end, from);
    if (next_end == std::string_view::npos) break;
    std::size_t next = html.find(begin, from);
    while (next != std::string_view::npos && next < next_end && html[next + begin.size()] != ' ' &&
           html[next + begin.size()] != '>')
      next = html.find(begin, next + 1);
    if (next < next_end) {
      ++depth;
      from = next + begin.size();
    } else {
      --depth;
      from = next_end + end.size();
      if (depth == 0) element.inside = html.substr(close + 1, next_end - close - 1);
    }
  }
  element.end = from;
  return element;
}

/// Returns all elements of a name inside, not those within another of them.
std::vector<Element> all_of_name(std::string_view html, std::string_view name) {
  std::vector<Element> found;
  const std::string begin = fmt::format("<{}", name);
  for (std::size_t at = html.find(begin); at != std::string_view::npos; at = html.find(begin, at)) {
    const char after = at + begin.size() < html.size() ? html[at + begin.size()] : '>';
    if (after != ' ' && after != '>') {
      ++at;
      continue;
    }
    found.push_back(element_at(html, at));
    at = found.back().end;
  }
  return found;
}

/// A part of the screen: lines, or a table of which some rows may be left out.
struct Block {
  std::vector<std::string> lines;
  std::size_t head = 0;  ///< first lines that always stay; all lines of a block without rows
  bool heading = false;
  std::size_t kept(std::size_t rows) const {
    const std::size_t most = head + rows;
    return lines.size() > most ? most + 1 : lines.size();
  }
};

Block table_block(const Element& table, std::size_t columns, bool with_caption) {
  std::vector<std::vector<std::pair<std::string, bool>>> rows;
  bool has_head = false;
  for (const Element& row : all_of_name(table.inside, "tr")) {
    auto& cells = rows.emplace_back();
    for (std::size_t at = 0; (at = row.inside.find("<t", at)) != std::string_view::npos;) {
      const Element cell = element_at(row.inside, at);
      has_head = has_head || cell.tag.find("scope=\"col\"") != std::string_view::npos;
      cells.emplace_back(cut(plain(cell.inside), std::max<std::size_t>(46, columns / 4)),
                         cell.tag.find("class=\"n\"") != std::string_view::npos);
      at = cell.end;
    }
  }
  // A column of bars has no text.
  for (std::size_t i = rows.empty() ? 0 : rows.back().size(); i-- > 0;)
    if (std::ranges::none_of(rows.begin() + (has_head ? 1 : 0), rows.end(),
                             [i](const auto& row) { return i < row.size() && !row[i].first.empty(); }))
      for (auto& row : rows)
        if (i < row.size()) row.erase(row.begin() + static_cast<std::ptrdiff_t>(i));
  std::vector<std::size_t> widths;
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i == widths.size()) widths.push_back(0);
      widths[i] = std::max(widths[i], characters(row[i].first));
    }
  Block block;
  if (with_caption)
    for (const Element& caption : all_of_name(table.inside, "caption"))
      block.lines.push_back(cut(plain(caption.inside), columns));
  block.head = block.lines.size() + (has_head ? 1 : 0);
  for (const auto& row : rows) {
    std::string line = " ";
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string gap(widths[i] - characters(row[i].first), ' ');
      line += " " + (row[i].second ? gap + row[i].first : row[i].first + gap) + " ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    if (!line.empty()) block.lines.push_back(cut(std::move(line), columns));
  }
  return block;
}

/// Returns "name value" pairs, several on a line.
Block cards_block(const Element& list, std::size_t columns) {
  Block block;
  std::string line;
  for (const Element& item : all_of_name(list.inside, "div")) {
    const auto names = all_of_name(item.inside, "dt"), values = all_of_name(item.inside, "dd");
    if (names.empty() || values.empty()) continue;
    const std::string one = plain(names[0].inside) + " " + plain(values[0].inside);
    if (!line.empty() && characters(line) + characters(one) + 3 > columns)
      block.lines.push_back(std::exchange(line, ""));
    line += (line.empty() ? "" : " · ") + one;
  }
  if (!line.empty()) block.lines.push_back(line);
  block.head = block.lines.size();
  return block;
}

/// Returns at most `most` lines, broken at blanks; further lines have the indentation of the first.
Block text_block(std::string text, std::size_t columns, std::size_t most = 1) {
  Block block;
  const std::string indent(std::min(text.find_first_not_of(' '), text.size()), ' ');
  while (block.lines.size() + 1 < most && characters(text) > columns) {
    std::size_t end = text.size();  // of the longest beginning that ends at a blank and fits
    do end = text.rfind(' ', end - 1);
    while (end != std::string::npos && end > indent.size() && characters(text.substr(0, end)) > columns);
    if (end == std::string::npos || end <= indent.size()) break;
    block.lines.push_back(text.substr(0, end));
    text = indent + text.substr(end + 1);
  }
  block.lines.push_back(cut(std::move(text), columns));
  block.head = block.lines.size();
  return block;
}

constexpr std::size_t kMostLines = 3;  ///< of a sentence, where the screen has room

void add_blocks(std::string_view html, std::size_t columns, std::size_t most, std::vector<Block>& blocks) {
  constexpr std::string_view kLeftOut[] = {"id=\"statistics\"", "id=\"machine\"", "id=\"identity\""};
  for (std::size_t at = 0; (at = html.find('<', at)) != std::string_view::npos;) {
    const Element element = element_at(html, at);
    if (element.name == "section" || element.name == "div" || element.name == "main" ||
        element.name == "header") {
      const bool left_out =
          element.name == "section" && std::ranges::any_of(kLeftOut, [&](std::string_view id) {
            return element.inside.substr(0, 120).find(id) != std::string_view::npos;
          });
      if (!left_out) add_blocks(element.inside, columns, most, blocks);
    } else if (element.name == "table") {
      if (Block block = table_block(element, columns, most > 1); block.lines.size() > block.head) {
        if (!blocks.empty() && blocks.back().heading && blocks.back().lines[0] == block.lines[0])
          block.lines.erase(block.lines.begin()), --block.head;  // the caption repeats the heading
        blocks.push_back(std::move(block));
      }
    } else if (element.name == "dl") {
      blocks.push_back(cards_block(element, columns));
    } else if (element.name == "h1" || element.name == "h2") {
      blocks.push_back(text_block(plain(element.inside), columns));
      blocks.back().heading = element.name == "h2";
    } else if (element.name == "li") {
      blocks.push_back(text_block("  " + plain(element.inside), columns, most));
    } else if (element.name == "ul") {
      add_blocks(element.inside, columns, most, blocks);
    } else if (element.name == "p" && element.tag.find("class=\"flag\"") != std::string_view::npos) {
      blocks.push_back(text_block(plain(element.inside), columns, kMostLines));
    } else if (element.name == "p" && element.tag == "<p>") {
      blocks.push_back(text_block("  " + plain(element.inside), columns, most));
    }
    at = element.inside.data() == nullptr ? html.find('>', at) + 1 : std::max(element.end, at + 1);
  }
}

/// Returns the blocks of a page whose sentences have at most `most` lines.
std::vector<Block> blocks_of(std::string_view html, std::size_t columns, std::size_t most) {
  std::vector<Block> blocks;
  for (const char* part : {"header", "main"})
    for (const Element& element : all_of_name(html, part)) add_blocks(element.inside, columns, most, blocks);
  for (std::size_t i = blocks.size(); i-- > 0;)  // a section of pictures leaves only its heading
    if (blocks[i].heading && (i + 1 == blocks.size() || blocks[i + 1].heading))
      blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(i));
  return blocks;
}

}  // namespace

std::string terminal_text(std::string_view html, ScreenSize screen) {
  std::vector<Block> blocks = blocks_of(html, screen.columns, kMostLines);
  const auto lines = [&](std::size_t rows) {
    std::size_t sum = 0;
    for (const Block& block : blocks) sum += block.kept(rows);
    return sum;
  };
  if (lines(screen.rows) > screen.lines) blocks = blocks_of(html, screen.columns, 1);
  std::size_t rows = screen.rows;
  while (rows > 2 && lines(rows) > screen.lines) --rows;
  std::string text;
  for (const Block& block : blocks) {
    const std::size_t kept = block.kept(rows);
    const bool cuts = kept < block.lines.size();
    for (std::size_t i = 0; i < kept - (cuts ? 1 : 0); ++i) text += block.lines[i] + "\n";
    if (cuts) text += fmt::format("  … {} more\n", block.lines.size() - kept + 1);
  }
  return text;
}

}  // namespace psim::report
