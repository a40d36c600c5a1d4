// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "snellen/base/base64.h"
#include "snellen/report/charts/chart_style.h"
#include "snellen/report/pages/report_page.h"
#include "snellen/report/xml_text.h"

namespace snellen::report {
namespace {

// No colour stands alone: every number is also written.
constexpr std::string_view kPageStyle = R"(
:root{color-scheme:light dark;--ink:#1b1f24;--soft:#57606a;--line:#d5dae0;--paper:#fff;--band:#f4f6f8;--link:#0a5fb4}
@media screen and (prefers-color-scheme:dark){:root{--ink:#e6e9ec;--soft:#9aa4ae;--line:#2a3138;--paper:#0f1419;--band:#171d23;--link:#6cb2f7}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
main,header,nav{max-width:1080px;margin:0 auto;padding:0 20px}
header{padding-top:28px}
h1{font-size:26px;margin:0 0 4px}
h2{font-size:19px;margin:36px 0 6px;border-bottom:1px solid var(--line);padding-bottom:4px}
h3{font-size:15px;margin:18px 0 4px}
p,li{color:var(--soft);margin:4px 0}
a{color:var(--link)}
nav ul{columns:3 220px;padding-left:18px}
figure{margin:10px 0 26px}
figure svg{max-width:100%;height:auto;border:1px solid var(--line);border-radius:6px}
figcaption{color:var(--soft);max-width:75ch}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-size:13px;margin:8px 0}
th,td{text-align:left;padding:4px 10px;border-bottom:1px solid var(--line);vertical-align:top;white-space:nowrap}
th{position:sticky;top:0;background:var(--band)}
.number{text-align:right;font-variant-numeric:tabular-nums}
details{margin:6px 0}
summary{cursor:pointer;color:var(--link)}
details:not([open])+.folded{display:none}
.round{display:grid;grid-template-columns:minmax(120px,240px) 1fr;gap:16px;margin:14px 0;break-inside:avoid}
.round img{max-width:100%;max-height:320px;border-radius:6px}
.round h3{margin-top:0}
@media(max-width:600px){.round{grid-template-columns:1fr}}
.note{border-left:4px solid #b8480b;padding:4px 12px;background:var(--band)}
footer{color:var(--soft);padding:30px 20px;text-align:center;font-size:13px}
@page{margin:12mm}
@media print{:root{color-scheme:light}
nav,details:not(.named){display:none}details:not([open])+.folded{display:block}summary{list-style:none;color:var(--ink)}
main,header{max-width:none;padding:0}body{font-size:11px}h2{margin-top:18px}h2,summary{break-after:avoid}figure,tr{break-inside:avoid}
.wide{overflow:visible}table{font-size:8px;width:100%}th{position:static}th,td{white-space:normal;padding:2px 4px}td:first-child{overflow-wrap:anywhere;min-width:16ch}}
)";

// The chart without its own style, which the page has once.
std::string inline_svg(std::string svg) {
  const std::string_view style = chart_style();
  if (const size_t at = svg.find(style); at != std::string::npos) svg.erase(at, style.size());
  return svg;
}

std::string section(std::string_view id, std::string_view title, std::string_view body) {
  return fmt::format("<section aria-labelledby=\"{0}\"><h2 id=\"{0}\">{1}</h2>\n{2}</section>\n",
                     id,
                     xml_text(title),
                     body);
}

// Scrolls on a screen, wraps on paper.
std::string wide(std::string_view label, const Table& table) {
  return fmt::format(
      "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">{}</div>\n",
      xml_text(label),
      table.as_html());
}

// The table stands behind <details> and not in it: paper shows it, which opens nothing.
std::string folded(std::string_view summary,
                   std::string_view label,
                   std::string_view note,
                   const Table& table,
                   bool is_named) {
  return fmt::format(
      "<details{}><summary>{}</summary></details><div class=\"wide folded\" tabindex=\"0\" "
      "role=\"region\" aria-label=\"{}\">{}{}</div>\n",
      is_named ? " class=\"named\"" : "",
      xml_text(summary),
      xml_text(label),
      note.empty() ? "" : fmt::format("<p>{}</p>", xml_text(note)),
      table.as_html());
}

std::string numbers_below(const Figure& figure) {
  return folded("Numbers", "Numbers of " + figure.title, "", figure.numbers, /*is_named=*/false);
}

std::string differences_between_runs(const std::vector<RunComparison>& comparisons) {
  std::string text;
  for (const RunComparison& one : comparisons) {
    text += fmt::format("<h3>{}</h3>\n<p>{}</p>\n", xml_text(one.title), xml_text(one.note));
    for (const std::string& warning : one.warnings)
      text += fmt::format("<p class=\"note\">{}</p>\n", xml_text(warning));
    if (!one.decisions.is_empty()) text += wide("Differences: " + one.title, one.decisions);
    if (!one.ranks.is_empty()) text += wide("Ranks: " + one.title, one.ranks);
    if (!one.metrics.is_empty())
      text += folded(fmt::format("Differences of metrics: {}", one.title),
                     "Differences of metrics: " + one.title,
                     "",
                     one.metrics,
                     /*is_named=*/true);
  }
  return text;
}

// The picture beside the question and all candidates; who took one stands behind it.
std::string shown_round(const ShownRound& round) {
  std::string picture;
  if (round.picture_bytes.empty()) {
    picture = fmt::format("<p>Picture {} is not there.</p>", xml_text(round.picture));
  } else {
    const bool is_png = round.picture_bytes.starts_with("\x89PNG");
    picture = fmt::format("<img alt=\"Picture {}\" src=\"data:image/{};base64,{}\">",
                          xml_text(round.picture),
                          is_png ? "png" : "jpeg",
                          base64(round.picture_bytes));
  }
  std::string taken, others;
  for (size_t i = 0; i < round.candidates.size(); ++i) {
    std::string by;
    for (const ShownRound::Chosen& chosen : round.chosen)
      if (std::find(chosen.places.begin(), chosen.places.end(), i) != chosen.places.end())
        by += (by.empty() ? "" : ", ") + chosen.by;
    if (by.empty()) {
      others += (others.empty() ? "" : "; ") + round.candidates[i];
    } else {
      taken += fmt::format(
          "<li><b>{}</b> taken by {}</li>", xml_text(round.candidates[i]), xml_text(by));
    }
  }
  return fmt::format(
      "<div class=\"round\"><div>{}</div><div><h3>{}</h3><ul>{}</ul><p>Other candidates: {}</p>"
      "</div></div>\n",
      picture,
      xml_text(round.question),
      taken,
      xml_text(others));
}

}  // namespace

std::string report_as_html(const Report& report) {
  // The style without its tags, as the browser hashes it.
  std::string_view charts = chart_style();
  charts.remove_prefix(charts.find('>') + 1);
  charts = charts.substr(0, charts.rfind("</style>"));
  const std::string style = std::string(kPageStyle) + std::string(charts);
  std::string contents, body;
  auto add_table = [&](const NamedTable& one) {
    contents += fmt::format("<li><a href=\"#table-{}\">{}</a></li>", one.name, xml_text(one.title));
    body += section("table-" + one.name,
                    one.title,
                    fmt::format("<p>{}</p>\n{}", xml_text(one.note), wide(one.title, one.table)));
  };
  // The summary, then what is drawn, then the other tables.
  if (!report.tables.empty()) add_table(report.tables.front());
  for (const Figure& figure : report.figures) {
    contents += fmt::format("<li><a href=\"#{}\">{}</a></li>", figure.name, xml_text(figure.title));
    body += section(
        figure.name,
        figure.title,
        fmt::format(
            "<figure>{}<figcaption>{} Files: figures/{}.svg and .csv.</figcaption></figure>\n{}",
            inline_svg(figure.svg),
            xml_text(figure.caption),
            figure.name,
            figure.has_many_numbers ? "" : numbers_below(figure)));
  }
  for (size_t i = 1; i < report.tables.size(); ++i) add_table(report.tables[i]);
  if (!report.rounds.empty()) {
    contents += "<li><a href=\"#rounds\">Rounds of dialogs</a></li>";
    std::string rounds;
    for (const ShownRound& round : report.rounds) rounds += shown_round(round);
    body += section("rounds", "Rounds of dialogs", rounds);
  }
  if (!report.differences.empty()) {
    contents += "<li><a href=\"#differences\">Differences between runs</a></li>";
    body += section(
        "differences", "Differences between runs", differences_between_runs(report.differences));
  }
  std::string runs;
  for (const NamedTable& one : report.metrics)
    runs += folded(one.title, "Metrics of " + one.title, one.note, one.table, /*is_named=*/true);
  if (!runs.empty()) body += section("runs", "All metrics by run", runs);
  std::string notes;
  for (const std::string& note : report.notes)
    notes += fmt::format("<p class=\"note\">{}</p>\n", xml_text(note));
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'sha256-{}'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
      "<title>Snellen report</title>\n<link rel=\"icon\" "
      "href=\"data:,\">\n<style>{}</style></head>\n"
      "<body><header><h1>Snellen report</h1><p>{} runs, {} figures. Every number has its count and "
      "its 95 % interval; a tie is counted as its task says.</p>\n{}</header>\n"
      "<nav aria-label=\"Contents\"><ul>{}</ul></nav>\n<main>\n{}</main>\n"
      "<footer>Made by snellen report</footer></body></html>\n",
      base64(sha256_bytes(style)),
      style,
      report.metrics.size(),
      report.figures.size(),
      notes,
      contents,
      body);
}

}  // namespace snellen::report
