// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/charts/chart_style.h"

#include <fmt/format.h>

#include "snellen/report/xml_text.h"

namespace snellen::report {
namespace {

// Colours that the colour-blind tell apart, no two of them equally light; chart_style_test.cc
// measures them.
// Plain classes: not every viewer knows variables, and one that knows no dark shows the light.
// Paper is light.
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
.s0{stroke:#0a5fb4}.f0{fill:#0a5fb4}.s1{stroke:#b8480b}.f1{fill:#b8480b}.s2{stroke:#1f9359}.f2{fill:#1f9359}.s3{stroke:#b67ec1}.f3{fill:#b67ec1}.s4{stroke:#564729}.f4{fill:#564729}.s5{stroke:#651974}.f5{fill:#651974}
@media screen and (prefers-color-scheme:dark){text{fill:#9aa4ae}.t{fill:#e6e9ec}.p{fill:#0f1419}.g{stroke:#2a3138}.d{stroke:#9aa4ae}.m,.w,.c{stroke:#e6e9ec}
.s0{stroke:#6cb2f7}.f0{fill:#6cb2f7}.s1{stroke:#e2bca9}.f1{fill:#e2bca9}.s2{stroke:#a6f181}.f2{fill:#a6f181}.s3{stroke:#d279a6}.f3{fill:#d279a6}.s4{stroke:#93801f}.f4{fill:#93801f}.s5{stroke:#a037d5}.f5{fill:#a037d5}}
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
