// SPDX-License-Identifier: Apache-2.0
#include "papers/published.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "base/config/schema.h"
#include "base/error.h"
#include "base/executable_path.h"
#include "base/read_file.h"
#include "papers/published_lists.h"

namespace psim::reproduce {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kUser = "-";
constexpr double kLargest = 1e300;

/// A table of the file: its kind, its name, and its keys as written.
struct RawTable {
  std::string kind, name, key;  ///< "value", "dgemm-scalar", "value.dgemm-scalar"
  Origin origin;
  std::string text, unit, source, find, over, explained, figure, series, x, y, title, y_name, logarithmic;
  std::string cause, set, values, with;
  PublishedFigure::Kind figure_kind = PublishedFigure::Kind::Lines;
  double paper = 0, tolerance = 0, least = 0, most = 0, scale = 1;
  bool statement = false, mean = false;
};

void describe(Schema& schema, RawTable& table) {
  const std::string prefix = table.key + ".";
  const auto text = [&](const char* key, std::string& to, const char* doc) {
    schema.add(prefix + key, to, doc, kUser);
  };
  const auto number = [&](const char* key, double& to, double least, const char* doc) {
    schema.add(prefix + key, to, {least, kLargest}, doc, kUser);
  };
  if (table.kind == "value") {
    text("text", table.text, "what the number is, or the statement");
    text("unit", table.unit, "unit of the number");
    text("source", table.source, "section, table and page");
    text("find", table.find, "path of ours in the result");
    text("over", table.over, "path of a number by which ours is divided");
    text("explained", table.explained, "decision that explains a difference");
    text("cause", table.cause, "tables [cause.NAME] that test the explanation");
    text("figure", table.figure, "figure that shows the number");
    text("series", table.series, "its series there");
    text("x", table.x, "its place there");
    number("paper", table.paper, -kLargest, "the paper's number");
    number("tolerance", table.tolerance, 0, "largest relative difference");
    number("least", table.least, -kLargest, "lower bound of ours");
    number("most", table.most, -kLargest, "upper bound of ours");
    number("scale", table.scale, -kLargest, "factor from the result to the unit");
    schema.add(prefix + "statement", table.statement, "whether `find` is true or false", kUser);
  } else if (table.kind == "figure") {
    text("title", table.title, "title");
    text("x", table.x, "name of the horizontal axis");
    text("y", table.y, "name of the vertical axis");
    text("source", table.source, "section, figure and page");
    text("logarithmic", table.logarithmic, "logarithmic axes: x, y or xy");
    schema.add(prefix + "kind", table.figure_kind,
               {{"lines", PublishedFigure::Kind::Lines},
                {"bars", PublishedFigure::Kind::Bars},
                {"timeline", PublishedFigure::Kind::Timeline}},
               "form", kUser);
  } else if (table.kind == "cause") {
    text("text", table.text, "what the paper leaves open, or does otherwise");
    text("source", table.source, "where the range of values comes from");
    text("set", table.set, "key that the runs set");
    text("values", table.values, "its values, with | between them");
    text("with", table.with, "further words of the command of these runs");
  } else {
    text("figure", table.figure, "figure that shows the curve");
    text("series", table.series, "its name there");
    text("x", table.x, "path of the horizontal values");
    text("y", table.y, "path of the vertical values");
    number("scale", table.scale, -kLargest, "factor of the vertical values");
    schema.add(prefix + "mean", table.mean, "whether y leads to several lists whose mean is drawn", kUser);
  }
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// Returns the parts between vertical bars, without spaces around them.
std::vector<std::string> parts_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> parts;
  for (std::string part; std::getline(stream, part, '|');)
    parts.push_back(fmt::format("{}", fmt::join(words_of(part), " ")));
  return parts;
}

class Reader {
 public:
  Reader(const std::vector<Setting>& settings, const std::string& path, Problems& problems)
      : path_(path), problems_(problems) {
    std::vector<Setting> known;
    for (const Setting& setting : settings)
      if (note_table(setting)) known.push_back(setting);
    schema_.add("format", format_, {1, 1}, "version of the format", kUser);
    schema_.add("paper", paper_, "number of the paper", kUser);
    schema_.add("title", title_, "one line", kUser);
    schema_.add("source", source_, "section and page", kUser);
    schema_.add("command", command_, "words after psim", kUser);
    schema_.add("quick", quick_, "words after psim with --quick", kUser);
    for (RawTable& table : tables_) describe(schema_, table);
    schema_.apply(known, problems_);
  }

  Published published() {
    Published all;
    for (const char* key : {"format", "paper", "title", "source", "command"})
      if (!is_set(key)) problems_.add(path_, fmt::format("{}: missing", key));
    all.paper = paper_, all.title = title_, all.source = source_;
    all.command = words_of(command_);
    all.quick = words_of(quick_);
    if (all.quick.empty()) all.quick = all.command, all.quick.emplace_back("--quick");
    for (const RawTable& table : tables_) {
      table_ = &table;
      if (table.kind == "value") all.values.push_back(value());
      if (table.kind == "figure") all.figures.push_back(figure());
      if (table.kind == "curve") all.curves.push_back(curve());
      if (table.kind == "cause") all.causes.push_back(cause());
    }
    for (const RawTable& table : tables_) {
      table_ = &table;
      if (!table.figure.empty() &&
          std::ranges::none_of(all.figures, [&](const auto& one) { return one.name == table.figure; }))
        refuse("figure", fmt::format(" = \"{0}\": there is no table [figure.{0}]", table.figure));
      for (const std::string& name : words_of(table.cause))
        if (std::ranges::find(all.causes, name, &PublishedCause::name) == all.causes.end())
          refuse("cause", fmt::format(" = \"{}\": there is no table [cause.{}]", table.cause, name));
      if (!table.cause.empty() && table.explained.empty())
        refuse("cause", fmt::format(" = \"{}\": tests an explanation, which is missing", table.cause));
    }
    return all;
  }

 private:
  bool note_table(const Setting& setting) {
    const std::size_t first = setting.key.find('.'), last = setting.key.rfind('.');
    if (first == std::string::npos) return true;
    const std::string kind = setting.key.substr(0, first);
    if (first == last || (kind != "value" && kind != "figure" && kind != "curve" && kind != "cause")) {
      problems_.add(setting.origin.text(),
                    fmt::format("{}: expected a table [value.NAME], [figure.NAME], [curve.NAME] or "
                                "[cause.NAME]",
                                setting.key));
      return false;
    }
    const std::string key = setting.key.substr(0, last);
    if (std::ranges::none_of(tables_, [&](const RawTable& table) { return table.key == key; })) {
      RawTable table;
      table.kind = kind, table.name = key.substr(first + 1), table.key = key, table.origin = setting.origin;
      tables_.push_back(std::move(table));
    }
    return true;
  }

  bool is_set(const std::string& key) const { return !schema_.find(key)->origin.source_name.empty(); }
  bool has(const std::string& leaf) const { return is_set(table_->key + "." + leaf); }
  void refuse(const std::string& leaf, const std::string& text) {
    const Field* field = schema_.find(table_->key + "." + leaf);
    const bool set = field != nullptr && field->origin.line != 0;
    problems_.add((set ? field->origin : table_->origin).text(), table_->key + "." + leaf + text);
  }
  std::optional<double> optional(const char* leaf, double value) const {
    return has(leaf) ? std::optional(value) : std::nullopt;
  }
  ResultPath path(const char* leaf, const std::string& text) try {
    return has(leaf) ? ResultPath(text) : ResultPath();
  } catch (const UserError& error) {
    refuse(leaf, fmt::format(" = \"{}\": {}", text, error.what()));
    return {};
  }

  PublishedValue value() {
    const RawTable& raw = *table_;
    PublishedValue value;
    value.name = raw.name, value.text = raw.text.empty() ? raw.name : raw.text;
    value.unit = raw.unit, value.source = raw.source, value.explained = raw.explained;
    value.causes = words_of(raw.cause);
    value.paper = optional("paper", raw.paper), value.tolerance = optional("tolerance", raw.tolerance);
    value.least = optional("least", raw.least), value.most = optional("most", raw.most);
    value.find = path("find", raw.find), value.over = path("over", raw.over);
    value.scale = raw.scale, value.statement = raw.statement;
    value.figure = raw.figure, value.series = raw.series, value.x = raw.x;
    if (value.tolerance && (!value.paper || *value.paper == 0))
      refuse("tolerance", ": relative to paper, which must be given and not be 0; expected least and most");
    if (value.statement && (value.paper || value.tolerance || value.least || value.most))
      refuse("statement", ": a statement has no paper, tolerance, least or most");
    return value;
  }
  PublishedFigure figure() {
    const RawTable& raw = *table_;
    for (const char mark : raw.logarithmic)
      if (mark != 'x' && mark != 'y')
        refuse("logarithmic", fmt::format(" = \"{}\": expected x, y or xy", raw.logarithmic));
    return {raw.name,
            raw.title,
            raw.x,
            raw.y,
            raw.source,
            raw.figure_kind,
            raw.logarithmic.find('x') != std::string::npos,
            raw.logarithmic.find('y') != std::string::npos};
  }
  PublishedCause cause() {
    for (const char* leaf : {"text", "source", "set", "values"})
      if (!has(leaf)) refuse(leaf, ": missing");
    PublishedCause made{
        table_->name,          table_->text, table_->source, table_->set, parts_of(table_->values),
        words_of(table_->with)};
    if (has("values") && (made.values.empty() || std::ranges::find(made.values, "") != made.values.end()))
      refuse("values", fmt::format(" = \"{}\": expected values with | between them", table_->values));
    return made;
  }
  PublishedCurve curve() {
    for (const char* leaf : {"figure", "x", "y"})
      if (!has(leaf)) refuse(leaf, ": missing");
    return {table_->figure,       table_->series, path("x", table_->x),
            path("y", table_->y), table_->scale,  table_->mean};
  }

  std::string path_, paper_, title_, source_, command_, quick_;
  std::uint32_t format_ = 1;
  Problems& problems_;
  std::deque<RawTable> tables_;  // the schema refers to them
  const RawTable* table_ = nullptr;
  Schema schema_;
};

}  // namespace

std::optional<double> PublishedValue::ours(const nlohmann::ordered_json& result) const {
  if (find.empty()) return std::nullopt;
  const std::vector<double> found = find.numbers(result);
  if (found.empty()) return std::nullopt;
  if (over.empty()) return found.front() * scale;
  const std::vector<double> divisor = over.numbers(result);
  return divisor.empty() ? std::nullopt : std::optional(found.front() * scale / divisor.front());
}

std::vector<std::string> PublishedCause::words(const std::string& value) const {
  std::vector<std::string> words = with;
  words.insert(words.end(), {"--set", set + "=" + value});
  return words;
}

PublishedCurve::Points PublishedCurve::points(const nlohmann::ordered_json& result) const {
  Points made{x.numbers(result), y.numbers(result)};
  const std::size_t lists = mean && !made.x.empty() ? made.y.size() / made.x.size() : 1;
  const std::size_t count = std::min(made.x.size(), made.y.size());
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t list = 1; list < lists; ++list) made.y[i] += made.y[list * count + i];
    made.y[i] *= scale / static_cast<double>(lists);
  }
  made.x.resize(count), made.y.resize(count);
  return made;
}

const PublishedValue& Published::value(std::string_view wanted) const {
  for (const PublishedValue& value : values)
    if (value.name == wanted) return value;
  throw std::out_of_range(fmt::format("papers/data/{}.toml: no table [value.{}]", name, wanted));
}

double Published::number(std::string_view wanted) const { return value(wanted).paper.value(); }

Published parse_published(std::string_view text, const std::string& path) {
  Problems problems;
  Reader reader(with_lists(read_toml(text, path, problems), problems), path, problems);
  Published published = reader.published();
  problems.throw_if_any();
  published.name = fs::path(path).stem().string();
  return published;
}

std::vector<std::string> published_names() {
  std::vector<std::string> names;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(share_path("papers"), error))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

Published load_published(const std::string& name) {
  const std::string path = (share_path("papers") / (name + ".toml")).string();
  const FileBytes file = read_file(path, kMostConfigBytes);
  if (!file.problem.empty())
    throw UserError(fmt::format("{}: cannot be read: {}; it is installed with psim", path, file.problem));
  return parse_published(file.bytes, path);
}

}  // namespace psim::reproduce
