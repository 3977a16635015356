// SPDX-License-Identifier: Apache-2.0
#include "netsim/topology/dot_reader.h"

namespace psim::net {
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

}  // namespace psim::net
