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

  // With `width` columns at most, where words and names can be broken: wide cells of text go on in
  // the next line, and columns that have no room follow below with the first one repeated. 0: as
  // wide as it is.
  std::string as_text(size_t width = 0) const;
  std::string as_markdown() const;
  std::string as_csv() const;
  std::string as_html() const;   // a <table>, escaped
  std::string as_latex() const;  // a tabular, escaped
  // A list of objects, heading to text.
  std::string as_json() const;

 private:
  std::string columns_as_text(const std::vector<size_t>& widths, size_t begin, size_t end) const;

  std::vector<Heading> headings_;
  std::vector<std::vector<std::string>> rows_;
};

// A text in lines of at most `width` columns, broken where words or names can be.
std::string wrapped_text(const std::string& text, size_t width);

// How many columns a terminal needs for a UTF-8 text, counting every code point as one.
size_t display_width(const std::string& text);

}  // namespace snellen::report
