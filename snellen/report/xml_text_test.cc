// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/xml_text.h"

#include <gtest/gtest.h>

namespace snellen::report {
namespace {

TEST(XmlText, EscapesWhatHasAMeaning) {
  EXPECT_EQ(xml_text(R"(<a b="c" d='e'>&)"), "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;");
}

TEST(XmlText, KeepsUtf8AndReplacesWhatIsNone) {
  EXPECT_EQ(xml_text("caf\xC3\xA9 \xE2\x82\xAC"), "caf\xC3\xA9 \xE2\x82\xAC");
  EXPECT_EQ(xml_text("a\xC3"), "a\xEF\xBF\xBD");
  EXPECT_EQ(xml_text("\xC0\xAF"), "\xEF\xBF\xBD\xEF\xBF\xBD");                  // an overlong slash
  EXPECT_EQ(xml_text("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");  // a surrogate
  EXPECT_EQ(xml_text(std::string("a\0b\x1b", 4)), "a b ");
}

TEST(XmlText, NamesWhatTurnsTheDirection) {
  EXPECT_EQ(xml_text("\u202Egnp.exe"), "[U+202E]gnp.exe");
  EXPECT_EQ(xml_text("a\u200Fb\u2066\uFEFF"), "a[U+200F]b[U+2066][U+FEFF]");
  EXPECT_EQ(xml_text("\u2010 \u05D0"),
            "\u2010 \u05D0");  // a hyphen, and a letter of a right-to-left script
}

}  // namespace
}  // namespace snellen::report
