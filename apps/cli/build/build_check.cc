// SPDX-License-Identifier: Apache-2.0
// `build check DIR`: every group of a built set against its sources, by code that shares nothing
// with the builders but the file readers.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/cli/build/build_output.h"
#include "apps/cli/media/file_batch.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/verb.h"
#include "snellen/builders/build_record.h"
#include "snellen/builders/control/noise_set.h"
#include "snellen/builders/probe_b/check.h"
#include "snellen/builders/probe_c/check.h"
#include "snellen/builders/probe_r/check.h"
#include "snellen/builders/relcomp/check.h"
#include "snellen/builders/vilma/check.h"
#include "snellen/builders/violations.h"

namespace snellen::cli {
namespace {

using builders::BuildRecord;
using builders::CheckReport;
using builders::Violation;

struct CheckFlags {
  unsigned num_threads = 0;
  std::string folder;
  std::vector<std::string> sources;  // name=path
  bool skips_pixels = false;
};

// The record with the sources that were moved since.
BuildRecord record_of(const CheckFlags& flags) {
  BuildRecord record = BuildRecord::read(flags.folder);
  if (!record.is_complete) {
    throw Error{ErrorCode::kInvalidInput,
                "was not finished",
                flags.folder,
                "run the build command again, it goes on where it stopped"};
  }
  for (const std::string& text : flags.sources) {
    size_t equals = text.find('=');
    std::string name = text.substr(0, equals);
    auto found = std::find_if(record.sources.begin(), record.sources.end(), [&](const auto& entry) {
      return entry.first == name;
    });
    if (equals == std::string::npos || found == record.sources.end()) {
      std::vector<std::string> known;
      for (const auto& entry : record.sources) known.push_back(entry.first);
      throw Error{ErrorCode::kUsage,
                  fmt::format("'{}' names no source of this set", text),
                  "--source",
                  fmt::format("NAME=PATH with NAME one of {}", fmt::join(known, ", "))};
    }
    found->second = text.substr(equals + 1);
  }
  return record;
}

CheckReport check(const CheckFlags& flags, const BuildRecord& record) {
  BuildProgress progress;
  BuildFlags asked;
  asked.num_threads = flags.num_threads;
  builders::Workers workers = workers_of(asked, progress);
  if (record.builder == "probe-r") return builders::probe_r::check(flags.folder, record, workers);
  if (record.builder == "probe-c") return builders::probe_c::check(flags.folder, record, workers);
  if (record.builder == "relcomp") return builders::relcomp::check(flags.folder, record, workers);
  if (record.builder == "control") return builders::control::check(flags.folder, record, workers);
  if (record.builder == "probe-b") {
    return builders::probe_b::check(
        flags.folder, record, {.with_pixels = !flags.skips_pixels}, workers);
  }
  if (record.builder == "vilma-counting")
    return builders::vilma::check_counting(flags.folder, record, workers);
  if (record.builder == "vilma-change-state")
    return builders::vilma::check_change_state(flags.folder, record, workers);
  if (record.builder == "vilma-rare-actions")
    return builders::vilma::check_rare_actions(flags.folder, record, workers);
  throw Error{ErrorCode::kInvalidInput,
              fmt::format("was made by '{}', which has no check", record.builder),
              flags.folder};
}

int show(const Context& context, const BuildRecord& record, const CheckReport& report) {
  if (context.wants_json) {
    nlohmann::ordered_json json = {{"builder", record.builder},
                                   {"groups", report.num_groups},
                                   {"num_violations", report.num_violations},
                                   {"violations", nlohmann::ordered_json::array()}};
    for (const Violation& one : report.violations)
      json["violations"].push_back({{"group", one.group}, {"rule", one.rule}, {"what", one.what}});
    fmt::print("{}\n", json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace));
  } else {
    for (const Violation& one : report.violations)
      fmt::print("{}: {}: {}\n", one.group, one.rule, one.what);
    if (report.num_violations > report.violations.size())
      fmt::print("and {} more\n", report.num_violations - report.violations.size());
    fmt::print("{}: {} groups checked, {} violations\n",
               record.builder,
               report.num_groups,
               report.num_violations);
  }
  return report.num_violations > 0 || report.num_groups == 0 ? 1 : 0;
}

}  // namespace

std::function<int()> add_build_check(Command build, Context& context) {
  using config::option;
  using S = CheckFlags;
  Command verb =
      build.add_subcommand("check", "verify every group of a built set against its sources");
  verb.footer(
      "Prints one line per violation: group, rule, what. The exit code is 1 when there is any.\n"
      "Examples:\n"
      "  snellen build check probe_r\n"
      "  snellen build check probe_r --source objects=/data/vg/objects.json");
  return verb_with(
      verb,
      S{},
      {option(&S::folder, "folder", "a folder that snellen build wrote").positional().required(),
       option(&S::sources, "source", "new place of a source that was moved")
           .value("NAME=PATH")
           .whole_words()
           .many(),
       option(&S::skips_pixels, "skip-pixels", "check only that the images exist"),
       threads_option(&S::num_threads)},
      [&context](const S& flags) {
        BuildRecord record = record_of(flags);
        return show(context, record, check(flags, record));
      });
}

}  // namespace snellen::cli
