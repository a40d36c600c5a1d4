// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/charts/chart_style.h"

#include <fmt/format.h>

#include "snellen/report/xml_text.h"

namespace snellen::report {
namespace {

// Colours that differ in lightness as well, so that they are told apart in grey.
// Plain classes: not every viewer knows variables, and one that knows no dark shows the light.
constexpr std::string_view kStyle = R"(<style>
text{font:10px system-ui,-apple-system,"Segoe UI",sans-serif;fill:#57606a}
.t{font-size:12.5px;font-weight:600;fill:#1b1f24}
.v{font-weight:600}
.p{fill:#fff}
.g{stroke:#e4e8ec;fill:none}
.d{stroke:#57606a;stroke-dasharray:4 3;fill:none}
.m{stroke:#1b1f24;stroke-dasharray:2 2;fill:none}
.l{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}
.n{fill:none;stroke-width:1;opacity:.4;stroke-linejoin:round}
.b{opacity:.16}
.w{stroke:#1b1f24;fill:none}
.c{stroke:#1b1f24;stroke-width:1.5;stroke-dasharray:3 2;fill:none}
.s0{stroke:#0a5fb4}.f0{fill:#0a5fb4}.s1{stroke:#b8480b}.f1{fill:#b8480b}.s2{stroke:#1a7f37}.f2{fill:#1a7f37}.s3{stroke:#7d2fb5}.f3{fill:#7d2fb5}.s4{stroke:#8a6500}.f4{fill:#8a6500}.s5{stroke:#b01e63}.f5{fill:#b01e63}
@media(prefers-color-scheme:dark){text{fill:#9aa4ae}.t{fill:#e6e9ec}.p{fill:#0f1419}.g{stroke:#2a3138}.d{stroke:#9aa4ae}.m,.w,.c{stroke:#e6e9ec}
.s0{stroke:#6cb2f7}.f0{fill:#6cb2f7}.s1{stroke:#f2975c}.f1{fill:#f2975c}.s2{stroke:#5fce7b}.f2{fill:#5fce7b}.s3{stroke:#c99bf2}.f3{fill:#c99bf2}.s4{stroke:#e0b64a}.f4{fill:#e0b64a}.s5{stroke:#f287b6}.f5{fill:#f287b6}}
</style>
)";

}  // namespace

std::string_view chart_style() {
  return kStyle;
}

std::string svg_begin(double width, double height, std::string_view title) {
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 "
      "0 {0:.0f} {1:.0f}\" role=\"img\">\n<title>{2}</title>\n",
      width,
      height,
      xml_text(title));
  out += kStyle;
  return out + "<rect class=\"p\" width=\"100%\" height=\"100%\"/>\n";
}

}  // namespace snellen::report
