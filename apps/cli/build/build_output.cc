// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/build/build_output.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/cli/media/file_batch.h"
#include "apps/cli/print.h"
#include "apps/cli/run/cache_place.h"
#include "snellen/builders/build_record.h"
#include "snellen/config/data_registry.h"
#include "snellen/report/table.h"
#include "snellen/run/catalogue.h"
#include "snellen/run/task_folders.h"
#include "snellen/store/error_json.h"
#include "snellen/store/run_folder.h"

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
  fmt::print("{}\n", store::json_text(json, 1));
}

// One line for each reason, with its count and first place: a wrong file has one reason for all.
void print_bad_records(const builders::BadRecords& bad) {
  constexpr size_t kMostReasons = 10;
  struct Reason {
    const Error* first;
    uint64_t count = 0;
  };
  std::vector<Reason> reasons;
  for (const Error& error : bad.named()) {
    auto same = std::find_if(reasons.begin(), reasons.end(), [&](const Reason& one) {
      return one.first->message() == error.message();
    });
    if (same == reasons.end()) same = reasons.insert(reasons.end(), {&error});
    ++same->count;
  }
  print_note("snellen: {} bad records left out\n", bad.count());
  for (size_t i = 0; i < std::min(kMostReasons, reasons.size()); ++i) {
    const auto& [first, count] = reasons[i];
    const bool is_cut = bad.count() > bad.named().size();
    print_note("  {}{}: {}\n",
               count,
               is_cut ? fmt::format(" of the first {}", bad.named().size()) : "",
               first->what());
  }
  if (reasons.size() > kMostReasons)
    print_note("  and {} other reasons\n", reasons.size() - kMostReasons);
}

void print_text(const BuildReport& report, const std::string& out) {
  report::Table table({{"set"}, {"what"}, {"ours", true}, {"paper", true}});
  for (const Count& count : report.counts)
    table.add({count.set, count.what, with_commas(count.ours), count.paper});
  // A table of zeros and a folder that is gone again would say nothing.
  if (report.has_items()) fmt::print("{}wrote {}\n", table.as_text(kTextWidth), out);
  if (report.bad_records.count() > 0) print_bad_records(report.bad_records);
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

namespace {

// Runs find what was built first without being told; a set that is registered and there stays.
void register_build(const Context& context, const std::filesystem::path& out) {
  std::error_code ignored;
  if (!std::filesystem::exists(out / builders::kBuildRecordName, ignored)) return;
  const std::string name = builders::BuildRecord::read(out).builder;
  const auto& all = context.catalogue.tasks;
  const bool is_of_task = std::any_of(all.begin(), all.end(), [&](const auto& entry) {
    return run::is_for_task(name, entry->facts(), /*of_images=*/false);
  });
  if (!is_of_task) return;
  try {
    config::DataRegistry registry(data_registry_file());
    const auto before = registry.find(name);
    if (before && std::filesystem::is_directory(*before, ignored)) return;
    registry.set(name, out);
    print_note("note: registered as the data of {} (snellen data list)\n", name);
  } catch (const Error& error) {
    print_note("note: not registered: {}\n", error.what());
  }
}

}  // namespace

int show_build(const Context& context, const BuildReport& report, const std::string& out) {
  if (context.wants_json) {
    print_json(report, out);
  } else {
    print_text(report, out);
  }
  if (!report.has_items()) {
    throw Error{
        ErrorCode::kNothingScored,
        "not one group or item came out",
        out,
        "check that each source is the file its flag asks for, and that it is whole; --help shows "
        "the limits that can be lowered"};
  }
  register_build(context, out);
  return report.bad_records.count() > 0 ? 4 : 0;
}

}  // namespace snellen::cli
