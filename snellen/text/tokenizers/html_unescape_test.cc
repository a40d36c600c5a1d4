// SPDX-License-Identifier: Apache-2.0
// Expected values are those of Python's html.unescape.
#include "snellen/text/tokenizers/html_unescape.h"

#include <gtest/gtest.h>

namespace snellen::text {
namespace {

TEST(HtmlUnescape, ReadsNamesWithAndWithoutTheirSemicolon) {
  HtmlUnescaper html;
  EXPECT_EQ(html.unescape("a &amp; b &lt;c&gt; &eacute;t&eacute"), "a & b <c> \u00E9t\u00E9");
  EXPECT_EQ(html.unescape("&notit; &notin; &ampere"), "\u00ACit; \u2209 &ere");
  EXPECT_EQ(html.unescape("&acE;"), "\u223E\u0333");
  EXPECT_EQ(html.unescape("&nosuchname; & &; &&"), "&nosuchname; & &; &&");
}

TEST(HtmlUnescape, ReadsNumbers) {
  HtmlUnescaper html;
  EXPECT_EQ(html.unescape("&#65;&#x42&#X43;"), "ABC");
  EXPECT_EQ(html.unescape("&#128;&#0;&#xD800;&#99999999999;&#1;"), "\u20AC\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(html.unescape("&#; &#x;"), "&#; &#x;");
}

}  // namespace
}  // namespace snellen::text
