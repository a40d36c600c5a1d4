// SPDX-License-Identifier: Apache-2.0
// Texts of runs within Markdown and LaTeX: as text, whatever they hold. Control characters and
// those that hide or turn the direction become blanks, so that one text stays on one line.
#pragma once

#include <string>
#include <string_view>

namespace snellen::report {

// A cell of a table, which begins no line.
std::string markdown_cell(std::string_view text);
// A title, a paragraph, an item: nothing at its beginning makes a heading, a list or a quote of it.
std::string markdown_text(std::string_view text);

std::string latex_text(std::string_view text);

}  // namespace snellen::report
