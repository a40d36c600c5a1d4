// SPDX-License-Identifier: Apache-2.0
// Tables for pages and papers.
#include <fmt/format.h>

#include "snellen/report/markup_text.h"
#include "snellen/report/table.h"
#include "snellen/report/xml_text.h"

namespace snellen::report {
std::string Table::as_html() const {
  std::string html = "<table><thead><tr>";
  for (const Heading& heading : headings_)
    html += fmt::format("<th scope=\"col\"{}>{}</th>",
                        heading.is_number ? " class=\"number\"" : "",
                        xml_text(heading.text));
  html += "</tr></thead><tbody>\n";
  for (const auto& row : rows_) {
    html += "<tr>";
    for (size_t i = 0; i < row.size(); ++i)
      html += fmt::format(
          "<td{}>{}</td>", headings_[i].is_number ? " class=\"number\"" : "", xml_text(row[i]));
    html += "</tr>\n";
  }
  return html + "</tbody></table>\n";
}

std::string Table::as_latex() const {
  std::string latex = "\\begin{tabular}{";
  for (const Heading& heading : headings_) latex += heading.is_number ? 'r' : 'l';
  latex += "}\n\\hline\n";
  auto add_line = [&](auto cell_at) {
    for (size_t i = 0; i < headings_.size(); ++i)
      latex += (i > 0 ? " & " : "") + latex_text(cell_at(i));
    latex += " \\\\\n";
  };
  add_line([&](size_t i) { return headings_[i].text; });
  latex += "\\hline\n";
  for (const auto& row : rows_) add_line([&](size_t i) { return row[i]; });
  return latex + "\\hline\n\\end{tabular}\n";
}

}  // namespace snellen::report
