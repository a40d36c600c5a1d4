// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/text/meteor/meteor.h"
#include "snellen/text/meteor/java_text.h"

namespace snellen::metrics::meteor {
namespace {

constexpr std::string_view kSeparator = "|||";

// What Python's str.split() takes for white space.
bool is_python_space(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 ||
         c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
         c == 0x205F || c == 0x3000;
}

std::string collapse_spaces(std::string_view text) {
  std::string out;
  bool owes_space = false;
  std::u32string code_points;
  text::meteor::decode_java_utf8(text, code_points);
  for (char32_t c : code_points) {
    if (is_python_space(c)) {
      owes_space = !out.empty();
      continue;
    }
    if (owes_space) out.push_back(' ');
    owes_space = false;
    text::meteor::append_utf8(out, c);
  }
  return out;
}

std::string replace_separator(std::string_view text, std::string_view replacement) {
  std::string out;
  size_t at = 0;
  for (size_t found; (found = text.find(kSeparator, at)) != std::string_view::npos;
       at = found + kSeparator.size()) {
    out.append(text.substr(at, found - at)).append(replacement);
  }
  return out.append(text.substr(at));
}

}  // namespace

std::string meteor_hypothesis(std::string_view text) {
  return collapse_spaces(replace_separator(text, ""));
}

std::string meteor_reference(std::string_view text) {
  return collapse_spaces(replace_separator(text, " "));
}

std::vector<std::string> meteor_references_compat(std::string_view text) {
  std::vector<std::string> references;
  size_t at = 0;
  for (size_t found; (found = text.find(kSeparator, at)) != std::string_view::npos;
       at = found + kSeparator.size()) {
    references.push_back(collapse_spaces(text.substr(at, found - at)));
  }
  references.push_back(collapse_spaces(text.substr(at)));
  return references;
}

}  // namespace snellen::metrics::meteor
