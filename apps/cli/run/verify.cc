// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "apps/cli/verb.h"
#include "snellen/base/python_json.h"
#include "snellen/run/ending/verify.h"

namespace snellen::cli {
namespace {

std::string json_list(const std::vector<std::string>& texts) {
  std::string json = "[";
  for (const std::string& text : texts) json += (json.size() > 1 ? ", " : "") + json_string(text);
  return json + "]";
}

}  // namespace

std::function<int()> add_verify(CLI::App& app, Context& context) {
  CLI::App* verb = app.add_subcommand(
      "verify", "recompute a run folder's hashes and metrics and say what differs");
  verb->footer("Example:\n  snellen verify runs/fake-probe-c");
  auto folder = std::make_shared<std::string>();
  verb->add_option("run", *folder, "the run folder")->required()->type_name("FOLDER");
  return [&context, folder] {
    run::Verification found = run::verify_run(*folder, context.catalogue);
    bool is_good = found.differences.empty();
    if (context.wants_json) {
      fmt::print("{{\"ok\": {}, \"checks\": {}, \"differences\": {}, \"unchecked\": {}}}\n",
                 is_good,
                 found.num_checks,
                 json_list(found.differences),
                 json_list(found.unchecked));
    } else {
      for (const std::string& line : found.differences) fmt::print("differs: {}\n", line);
      for (const std::string& line : found.unchecked) fmt::print("not checked: {}\n", line);
      fmt::print("{} checks, {} differences\n", found.num_checks, found.differences.size());
    }
    return is_good ? 0 : 1;
  };
}

}  // namespace snellen::cli
