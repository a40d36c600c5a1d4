// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/table.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "snellen/base/python_json.h"

namespace snellen::report {
namespace {

std::string padded(const std::string& text, size_t width, bool to_the_right) {
  std::string space(width - std::min(width, display_width(text)), ' ');
  return to_the_right ? space + text : text + space;
}

// Everything that could become a link, an image, a tag or another cell.
std::string markdown_cell(const std::string& text) {
  constexpr std::string_view kSpecial = "|\\<>`[]*&~";
  std::string escaped;
  for (char c : text) {
    if (kSpecial.find(c) != std::string_view::npos) escaped.push_back('\\');
    escaped.push_back(c);
  }
  return escaped;
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"') quoted.push_back('"');
    quoted.push_back(c);
  }
  return quoted + "\"";
}

}  // namespace

size_t display_width(const std::string& text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

void Table::add(std::vector<std::string> row) {
  row.resize(headings_.size());
  for (std::string& cell : row) {
    for (char& c : cell) {
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
    }
  }
  rows_.push_back(std::move(row));
}

std::string Table::as_text() const {
  std::vector<size_t> widths;
  for (size_t i = 0; i < headings_.size(); ++i) {
    widths.push_back(display_width(headings_[i].text));
    for (const auto& row : rows_) widths[i] = std::max(widths[i], display_width(row[i]));
  }
  std::string text;
  auto add_line = [&](auto cell_at) {
    std::string line;
    for (size_t i = 0; i < headings_.size(); ++i) {
      if (i > 0) line += "  ";
      line += padded(cell_at(i), widths[i], headings_[i].is_number);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  };
  add_line([&](size_t i) { return headings_[i].text; });
  add_line([&](size_t i) { return std::string(widths[i], '-'); });
  for (const auto& row : rows_) add_line([&](size_t i) { return row[i]; });
  return text;
}

std::string Table::as_markdown() const {
  std::string text = "|";
  for (const Heading& heading : headings_)
    text += fmt::format(" {} |", markdown_cell(heading.text));
  text += "\n|";
  for (const Heading& heading : headings_) text += heading.is_number ? " ---: |" : " --- |";
  text += "\n";
  for (const auto& row : rows_) {
    text += "|";
    for (const std::string& cell : row) text += fmt::format(" {} |", markdown_cell(cell));
    text += "\n";
  }
  return text;
}

std::string Table::as_csv() const {
  std::string text;
  for (size_t i = 0; i < headings_.size(); ++i)
    text += (i > 0 ? "," : "") + csv_cell(headings_[i].text);
  text += "\n";
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size(); ++i) text += (i > 0 ? "," : "") + csv_cell(row[i]);
    text += "\n";
  }
  return text;
}

std::string Table::as_json() const {
  std::string json = "[";
  for (const auto& row : rows_) {
    json += json.size() > 1 ? ", {" : "{";
    for (size_t i = 0; i < row.size(); ++i)
      json += fmt::format(
          "{}{}: {}", i > 0 ? ", " : "", json_string(headings_[i].text), json_string(row[i]));
    json += "}";
  }
  return json + "]";
}

}  // namespace snellen::report
