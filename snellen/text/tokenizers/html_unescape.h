// SPDX-License-Identifier: Apache-2.0
// html.unescape of Python: named and numeric character references of HTML 5 become characters, also
// those without a semicolon that the standard still reads. open_clip cleans its captions with it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "snellen/text/tokenizers/string_table.h"

namespace snellen::text {

// Const methods are safe from many threads.
class HtmlUnescaper {
 public:
  HtmlUnescaper();
  // Well-formed UTF-8 in and out.
  std::string unescape(std::string_view text) const;

 private:
  // Appends what the reference at the start of `text` (behind its '&') stands for, and gives its
  // length; 0 when there is none.
  size_t append_reference(std::string_view text, std::string& out) const;
  size_t append_named(std::string_view text, std::string& out) const;

  StringTable names_;  // with their semicolon, and without where that is allowed
  std::vector<std::string> values_;
};

}  // namespace snellen::text
