// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace snellen::report {

// Any bytes as text of an XML or HTML document, in elements and in quoted attributes: what has a
// meaning there is escaped, control characters are blanks, ill-formed UTF-8 is U+FFFD, and what
// turns the direction or shows nothing is named ("[U+202E]").
std::string xml_text(std::string_view text);

}  // namespace snellen::report
