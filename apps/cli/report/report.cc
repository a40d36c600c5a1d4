// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/cli/print.h"
#include "apps/cli/run/cache_place.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/verb.h"
#include "snellen/base/files.h"
#include "snellen/report/pages/report_page.h"
#include "snellen/report/sample_lines.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;

struct ReportSettings {
  std::vector<fs::path> folders;
  std::string output = "report";
  std::string samples = "none";
};

// All samples of every run, as DIR/samples/RUN.csv or .jsonl; gives their number.
uint64_t write_samples(const report::ReportInput& input,
                       const fs::path& output,
                       report::LineFormat format,
                       std::vector<fs::path>& files) {
  uint64_t count = 0;
  fs::create_directories(output / "samples");
  for (const report::ReportRun& run : input.runs) {
    const fs::path samples = run.stored.paths.samples();
    if (!fs::exists(samples)) continue;
    const bool is_csv = format == report::LineFormat::kCsv;
    const fs::path name =
        fs::path("samples") / fmt::format("{}.{}", run.name, is_csv ? "csv" : "jsonl");
    AtomicFile file(output / name);
    count += report::write_sample_lines(
        samples, format, [&](std::string_view line) { file.write(line); });
    file.commit(Sync::kLater);
    files.push_back(name);
  }
  return count;
}

int run_report(const Context& context, const ReportSettings& settings) {
  report::ReportInput input = report::read_report_input(settings.folders);
  if (!user_cache().empty()) input.map_folder = user_cache() / "maps";
  const report::Report made = report::make_report(input);
  std::vector<fs::path> files = report::write_report(made, settings.output);
  if (settings.samples != "none") {
    const auto format =
        settings.samples == "csv" ? report::LineFormat::kCsv : report::LineFormat::kJsonLines;
    const uint64_t count = write_samples(input, settings.output, format, files);
    if (!context.wants_json) print_note("snellen: {} samples written\n", count);
  }
  const fs::path page = fs::path(settings.output) / "report.html";
  if (context.wants_json) {
    nlohmann::ordered_json json = {{"report", page.string()},
                                   {"runs", input.runs.size()},
                                   {"figures", made.figures.size()},
                                   {"notes", made.notes}};
    for (const fs::path& file : files) json["files"].push_back(file.generic_string());
    fmt::print("{}\n", json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    return 0;
  }
  for (const std::string& note : made.notes) print_note("snellen: {}\n", note);
  fmt::print("{}: {} runs, {} figures, {} tables\n",
             page.string(),
             input.runs.size(),
             made.figures.size(),
             made.tables.size());
  return 0;
}

}  // namespace

std::function<int()> add_report(Command app, Context& context) {
  using config::option;
  using S = ReportSettings;
  Command verb = app.add_subcommand(
      "report", "write a page with figures and tables of runs, with the papers' numbers");
  verb.footer(
      "Writes DIR/report.html, which opens anywhere, DIR/figures/*.svg with their numbers as CSV,\n"
      "and the tables as Markdown (report.md) and LaTeX (tables.tex). Folders that hold run "
      "folders,\n"
      "train.jsonl or curve.json are searched.\n"
      "Example:\n  snellen report runs --output report");
  return verb_with(
      verb,
      S{},
      {option(&S::folders, "runs", "run folders, or folders that hold some")
           .positional()
           .many()
           .required(),
       option(&S::output, "output", "folder for the report").alias("out").value("DIR"),
       option(&S::samples, "samples", "also write all samples of the runs, into DIR/samples")
           .choices({"none", "csv", "jsonl"})},
      [&context](const S& settings) { return run_report(context, settings); });
}

}  // namespace snellen::cli
