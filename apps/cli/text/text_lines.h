// SPDX-License-Identifier: Apache-2.0
// Texts to score, one JSON object a line: what the text metrics read on their own.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace snellen::cli {

struct TextLine {
  std::string hypothesis;               // key "hypothesis", or "generation"
  std::vector<std::string> references;  // key "references", or "refs"; never empty
};

// Calls `take` for every line of a file ("-": stdin); blank lines are passed over. Throws
// kNotFound, or kInvalidInput as "file: line K: reason".
void for_each_text_line(const std::string& path, const std::function<void(TextLine&&)>& take);

// Lines of stdin as Java reads them: ended by LF, CR or CR LF, the last one also by the end.
// `take` gets false in place of a line of over `max_bytes`.
void for_each_java_line(size_t max_bytes,
                        const std::function<void(std::string_view line, bool fits)>& take);

}  // namespace snellen::cli
