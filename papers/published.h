// SPDX-License-Identifier: Apache-2.0
// A published result as its data file describes it: papers/data/NAME.toml, installed as share/psim/papers.
// docs/published-data.md describes the format. The file holds what the paper prints, how close ours should
// be, and where ours is in the result of a command.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "papers/result_path.h"

namespace psim::reproduce {

/// A table [value.NAME]: a number or a statement of the paper.
struct PublishedValue {
  std::string name, text, unit, source;
  std::optional<double> paper;        ///< as printed
  std::optional<double> tolerance;    ///< the largest |ours / paper - 1|
  std::optional<double> least, most;  ///< bounds of ours
  ResultPath find, over;              ///< ours is find × scale, divided by over if it is given
  double scale = 1;
  bool statement = false;           ///< `find` leads to true or false: whether the paper's statement holds
  std::string explained;            ///< the decision that explains a difference: "0018-paper-kernels.md"
  std::vector<std::string> causes;  ///< tables [cause.NAME] whose runs test the explanation
  std::string figure, series, x;

  /// Returns our number from the result of the command, if it is there.
  std::optional<double> ours(const nlohmann::ordered_json& result) const;
};

/// A table [figure.NAME]. Its points are the values that name it, and curves.
struct PublishedFigure {
  enum class Kind { Lines, Bars, Timeline };
  std::string name, title, x_name, y_name, source;
  Kind kind = Kind::Lines;
  bool log_x = false, log_y = false;
};

/// A table [curve.NAME]: numbers of ours in a figure, from lists in the result. In a timeline y are the ends
/// of computing of each row, and x the ends of the row.
struct PublishedCurve {
  std::string figure, series;
  ResultPath x, y;
  double scale = 1;
  bool mean = false;  ///< y leads to several lists, each as long as x, whose mean is drawn

  struct Points {
    std::vector<double> x, y;
  };
  /// Returns the points in the result of the command; x and y have the same length.
  Points points(const nlohmann::ordered_json& result) const;
};

/// A table [cause.NAME]: an input that the paper leaves open, or a behaviour of its simulator, and the runs
/// that vary it. Each run is the command of the file with `--set SET=VALUE`.
struct PublishedCause {
  std::string name, text, source, set;
  std::vector<std::string> values;  ///< in place of the one of the command; not empty
  std::vector<std::string> with;    ///< further words of these runs

  /// Returns the words that follow those of the command.
  std::vector<std::string> words(const std::string& value) const;
};

struct Published {
  std::string name, paper, title, source;
  std::vector<std::string> command, quick;  ///< words after psim; those of --quick
  std::vector<PublishedValue> values;
  std::vector<PublishedFigure> figures;
  std::vector<PublishedCurve> curves;
  std::vector<PublishedCause> causes;

  /// Returns what the paper prints for this value. Throws std::out_of_range.
  double number(std::string_view value) const;
  const PublishedValue& value(std::string_view name) const;
};

/// Parses a data file. Throws UserError with all problems.
Published parse_published(std::string_view text, const std::string& path);
/// Returns the names of all data files, sorted.
std::vector<std::string> published_names();
/// Reads the data file of this name. Throws UserError.
Published load_published(const std::string& name);

}  // namespace psim::reproduce
