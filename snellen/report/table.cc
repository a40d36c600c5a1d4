// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/table.h"

#include <algorithm>
#include <span>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/base/python_json.h"
#include "snellen/report/markup_text.h"

namespace snellen::report {
namespace {

std::string padded(const std::string& text, size_t width, bool to_the_right) {
  std::string space(width - std::min(width, display_width(text)), ' ');
  return to_the_right ? space + text : text + space;
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

// `text` in pieces of at most `width` columns, broken after a blank, a slash or a comma where there
// is one.
std::vector<std::string> wrapped(const std::string& text, size_t width) {
  std::vector<std::string> lines;
  size_t begin = 0;
  while (begin < text.size()) {
    size_t end = begin;
    size_t columns = 0;
    size_t last_break = begin;
    while (end < text.size() && columns < width) {
      const char c = text[end++];
      while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) ++end;
      ++columns;
      if (c == ' ' || c == '/' || c == ',') last_break = end;
    }
    const bool fits = end >= text.size() || text[end] == ' ';
    if (!fits && last_break > begin) end = last_break;
    std::string line = text.substr(begin, end - begin);
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(std::move(line));
    begin = text.find_first_not_of(' ', end);
    if (begin == std::string::npos) break;
  }
  if (lines.empty()) lines.emplace_back();
  return lines;
}

size_t longest_word(const std::string& text) {
  size_t longest = 0;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    longest = std::max(longest, display_width(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return longest;
}

// Of what wrapped() does not break.
size_t longest_piece(const std::string& text) {
  size_t longest = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find_first_of(" /,", begin), text.size() - 1) + 1;
    std::string piece = text.substr(begin, end - begin);
    piece.erase(piece.find_last_not_of(' ') + 1);
    longest = std::max(longest, display_width(piece));
    begin = end;
  }
  return longest;
}

size_t total_width(std::span<const size_t> widths) {
  size_t total = widths.empty() ? 0 : 2 * (widths.size() - 1);
  for (const size_t width : widths) total += width;
  return total;
}

// Takes from the widest columns until all fit, or none can be less than its `least`.
void narrow(std::vector<size_t>& widths, std::span<const size_t> least, size_t most) {
  for (size_t total = total_width(widths); total > most; --total) {
    size_t widest = widths.size();
    for (size_t i = 0; i < widths.size(); ++i) {
      if (widths[i] <= least[i]) continue;
      if (widest == widths.size() || widths[i] > widths[widest]) widest = i;
    }
    if (widest == widths.size()) return;
    --widths[widest];
  }
}

}  // namespace

std::string wrapped_text(const std::string& text, size_t width) {
  return fmt::format("{}", fmt::join(wrapped(text, width), "\n"));
}

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

std::string Table::as_text(size_t width) const {
  constexpr size_t kNarrowest = 10;
  std::vector<size_t> widths, least, whole_words;
  for (size_t i = 0; i < headings_.size(); ++i) {
    size_t widest_cell = 0, widest_piece = longest_piece(headings_[i].text);
    for (const auto& row : rows_) {
      widest_cell = std::max(widest_cell, display_width(row[i]));
      widest_piece = std::max(widest_piece, longest_piece(row[i]));
    }
    widths.push_back(std::max(widest_cell, display_width(headings_[i].text)));
    // Numbers stay whole; what stands above them goes on in the next line.
    least.push_back(headings_[i].is_number ? std::max(widest_cell, longest_word(headings_[i].text))
                                           : std::min(widths[i], kNarrowest));
    whole_words.push_back(headings_[i].is_number ? least.back() : std::max(least[i], widest_piece));
  }
  if (width == 0 || total_width(widths) <= width) return columns_as_text(widths, 0, widths.size());
  const size_t first = std::max(least[0], std::min(widths[0], width / 3));
  // Words are cut only where they would not fit side by side.
  if (total_width(whole_words) <= width) least = whole_words;
  if (total_width(least) <= width || first + 2 >= width) {
    narrow(widths, least, width);
    return columns_as_text(widths, 0, widths.size());
  }
  // Tables below each other, each with the first column.
  std::string text;
  widths[0] = first;
  for (size_t begin = 1; begin < widths.size();) {
    size_t end = begin + 1, total = first + 2 + std::min(widths[begin], width - first - 2);
    widths[begin] = std::max(least[begin], total - first - 2);
    for (; end < widths.size() && total + 2 + least[end] <= width; ++end) {
      widths[end] = std::min(widths[end], width - total - 2);
      total += 2 + widths[end];
    }
    text += (begin > 1 ? "\n" : "") + columns_as_text(widths, begin, end);
    begin = end;
  }
  return text;
}

// The first column and those from `begin` to `end`.
std::string Table::columns_as_text(const std::vector<size_t>& widths,
                                   size_t begin,
                                   size_t end) const {
  std::vector<size_t> places;
  if (begin > 0) places.push_back(0);
  for (size_t i = begin; i < end; ++i) places.push_back(i);
  std::string text;
  auto add_line = [&](auto cell_at) {
    std::vector<std::vector<std::string>> cells;
    size_t num_lines = 1;
    for (const size_t i : places) {
      cells.push_back(wrapped(cell_at(i), widths[i]));
      num_lines = std::max(num_lines, cells.back().size());
    }
    for (size_t number = 0; number < num_lines; ++number) {
      std::string line;
      for (size_t k = 0; k < places.size(); ++k) {
        const size_t i = places[k];
        if (k > 0) line += "  ";
        line += padded(
            number < cells[k].size() ? cells[k][number] : "", widths[i], headings_[i].is_number);
      }
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + "\n";
    }
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
