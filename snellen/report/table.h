// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace snellen::report {

// A table of texts, rendered for a terminal, for Markdown or as CSV. Columns of numbers are aligned
// right.
class Table {
 public:
  struct Heading {
    std::string text;
    bool is_number = false;
  };
  explicit Table(std::vector<Heading> headings) : headings_(std::move(headings)) {}

  // Missing cells are empty; control characters are replaced, so that untrusted texts cannot move
  // the cursor.
  void add(std::vector<std::string> row);
  bool is_empty() const { return rows_.empty(); }

  std::string as_text() const;
  std::string as_markdown() const;
  std::string as_csv() const;
  // A list of objects, heading to text.
  std::string as_json() const;

 private:
  std::vector<Heading> headings_;
  std::vector<std::vector<std::string>> rows_;
};

// How many columns a terminal needs for a UTF-8 text, counting every code point as one.
size_t display_width(const std::string& text);

}  // namespace snellen::report
