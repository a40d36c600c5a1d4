// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/build/build_output.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/cli/media/file_batch.h"
#include "apps/cli/print.h"
#include "snellen/report/table.h"
#include "snellen/store/error_json.h"

namespace snellen::cli {
namespace {

using builders::BuildReport;
using builders::Count;

// "1,234,567"
std::string with_commas(uint64_t n) {
  if (n < 1000) return std::to_string(n);
  return fmt::format("{},{:03}", with_commas(n / 1000), n % 1000);
}

void print_json(const BuildReport& report, const std::string& out) {
  using Json = nlohmann::ordered_json;
  Json json = {{"out", out}, {"counts", Json::array()}, {"files", Json::array()}};
  for (const Count& count : report.counts) {
    json["counts"].push_back({{"set", count.set},
                              {"what", count.what},
                              {"ours", count.ours},
                              {"paper", count.paper.empty() ? Json() : Json(count.paper)}});
  }
  for (const auto& file : report.files) json["files"].push_back(file.string());
  json["num_bad_records"] = report.bad_records.count();
  json["bad_records"] = Json::array();
  for (const Error& error : report.bad_records.named())
    json["bad_records"].push_back(Json::parse(store::error_to_json(error)));
  fmt::print("{}\n", json.dump(1));
}

void print_text(const BuildReport& report, const std::string& out) {
  report::Table table({{"set"}, {"what"}, {"ours", true}, {"paper", true}});
  for (const Count& count : report.counts)
    table.add({count.set, count.what, with_commas(count.ours), count.paper});
  fmt::print("{}wrote {}\n", table.as_text(), out);
  for (const Error& error : report.bad_records.named())
    print_note("snellen: left out: {}\n", error.what());
  if (report.bad_records.count() > report.bad_records.named().size()) {
    print_note("snellen: and {} more\n",
               report.bad_records.count() - report.bad_records.named().size());
  }
  if (report.bad_records.count() > 0)
    print_note("snellen: {} bad records left out\n", report.bad_records.count());
}

}  // namespace

std::vector<config::Option> build_options() {
  using config::option;
  using S = BuildFlags;
  return {option(&S::out, "out", "folder to write to").alias("o", "output").value("DIR").required(),
          option(&S::seed, "seed", "seed of every random number (default: the builder's own)"),
          threads_option(&S::num_threads)};
}

void BuildProgress::show(std::string_view step, uint64_t done, uint64_t total) {
  auto now = std::chrono::steady_clock::now();
  if (step != step_) {
    step_ = step;
    begin_ = now;
  }
  line_.draw({.done = done,
              .total = total,
              .seconds = std::chrono::duration<double>(now - begin_).count()});
}

builders::Workers workers_of(const BuildFlags& flags, BuildProgress& progress) {
  return {.num_threads = batch_threads(flags.num_threads, 1024),
          .observe = [&progress](std::string_view step, uint64_t done, uint64_t total) {
            progress.show(step, done, total);
          }};
}

int show_build(const Context& context, const BuildReport& report, const std::string& out) {
  if (context.wants_json) {
    print_json(report, out);
  } else {
    print_text(report, out);
  }
  uint64_t num_groups = 0;
  bool has_groups = false;
  for (const Count& count : report.counts) {
    if (count.what != "groups" && count.what != "items") continue;
    has_groups = true;
    num_groups += count.ours;
  }
  if (has_groups && num_groups == 0) {
    throw Error{
        ErrorCode::kNothingScored,
        "not one group or item came out",
        out,
        "check that the sources are the full ones, or lower --num-images, --min-object-images and "
        "the like (see --help)"};
  }
  return report.bad_records.count() > 0 ? 4 : 0;
}

}  // namespace snellen::cli
