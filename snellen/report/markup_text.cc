// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/markup_text.h"

#include <limits>

#include "snellen/report/stored_run.h"

namespace snellen::report {
namespace {

std::string as_one_line(std::string_view text) {
  return fit_text(text, std::numeric_limits<size_t>::max());
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Where a character at the beginning of a line would make something else than text of it: "# ",
// "- ", "1. ", "1) ", "===".
size_t line_mark(std::string_view text) {
  size_t at = text.find_first_not_of(' ');
  if (at == std::string_view::npos) return at;
  if (std::string_view("#+-=_").find(text[at]) != std::string_view::npos) return at;
  while (at < text.size() && is_digit(text[at])) ++at;
  const bool is_list =
      at > 0 && at < text.size() && is_digit(text[at - 1]) && (text[at] == '.' || text[at] == ')');
  return is_list ? at : std::string_view::npos;
}

}  // namespace

// Everything that could become a link, an image, a tag or another cell.
std::string markdown_cell(std::string_view text) {
  constexpr std::string_view kSpecial = "|\\<>`[]*&~";
  std::string escaped;
  for (const char c : as_one_line(text)) {
    if (kSpecial.find(c) != std::string_view::npos) escaped.push_back('\\');
    escaped.push_back(c);
  }
  return escaped;
}

std::string markdown_text(std::string_view text) {
  std::string escaped = markdown_cell(text);
  if (const size_t at = line_mark(escaped); at != std::string::npos) escaped.insert(at, "\\");
  return escaped;
}

std::string latex_text(std::string_view text) {
  std::string escaped;
  for (const char c : as_one_line(text)) {
    switch (c) {
      case '\\':
        escaped += "\\textbackslash{}";
        break;
      case '~':
        escaped += "\\textasciitilde{}";
        break;
      case '^':
        escaped += "\\textasciicircum{}";
        break;
      case '&':
      case '%':
      case '$':
      case '#':
      case '_':
      case '{':
      case '}':
        escaped += '\\';
        [[fallthrough]];
      default:
        escaped += c;
    }
  }
  return escaped;
}

}  // namespace snellen::report
