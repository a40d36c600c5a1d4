// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/demo/demo_bias.h"

#include <array>

#include <fmt/format.h>

#include "apps/cli/demo/demo_tables.h"
#include "apps/cli/print.h"
#include "snellen/base/files.h"
#include "snellen/http/server.h"
#include "snellen/models/openai/mock.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;
using models::openai::Mock;

constexpr unsigned kConcurrency = 16;
constexpr unsigned kSpareThreads = 16;

struct MockEndpoint {
  const char* name;
  const char* mode;
};
constexpr std::array kEndpoints = {MockEndpoint{"looks", "texture:75:A:C"},
                                   MockEndpoint{"says-yes", "always:A"}};
constexpr std::array kNames = {kEndpoints[0].name, kEndpoints[1].name};

constexpr std::array kColumns = {
    DemoColumn{"bias-close", "bias-close", "bias-close/accuracy"},
    DemoColumn{"ambiguous", "bias-close", "bias-close/by-condition/ambig/accuracy"},
    DemoColumn{"unknown, clean", "control", "control/clean/c_share"},
    DemoColumn{"unknown, e2", "control", "control/e2/c_share"},
    DemoColumn{"unknown, e3", "control", "control/e3/c_share"},
    DemoColumn{"unknown, e4", "control", "control/e4/c_share"},
    DemoColumn{"image reliance", "control", "control/image_reliance"},
};

// Asks the questions of one endpoint, which serves on this machine while it is asked.
void ask(const MockEndpoint& endpoint,
         DemoSteps& steps,
         const fs::path& bias,
         const fs::path& output) {
  Mock mock({.mode = models::openai::mock_mode_of(endpoint.mode)});
  http::Server server({.port = 0, .num_threads = kConcurrency + kSpareThreads},
                      [&mock](const http::Request& request) { return mock.answer(request); });
  auto run = [&](const Arguments& task) {
    Arguments all = {"run",
                     "--model",
                     fmt::format("openai:{}", endpoint.name),
                     "--base-url",
                     server.address() + "/v1",
                     "--concurrency",
                     std::to_string(kConcurrency),
                     "--cache",
                     (output / "cache").string(),
                     "--output",
                     (output / "runs").string()};
    all.insert(all.end(), task.begin(), task.end());
    steps.run(all);
  };
  run({"--tasks", "bias-close", "--data", bias.string()});
  run({"--tasks",
       "control",
       "--questions",
       (bias / "questions.jsonl").string(),
       "--images",
       (bias / "close-ended" / "images").string()});
  mock.stop();
}

std::string told(const report::Table& table,
                 const std::function<std::string(const report::Table&)>& shown_as) {
  return fmt::format(
      "\n## Served models\n\n"
      "Multiple-choice questions about the eyechart's people (the layout of VLBiasBench), put to "
      "two "
      "endpoints of `snellen mock-server`: `looks` says yes to pictures and \"not enough "
      "information\" to noise (`--mode texture:75:A:C`), `says-yes` always says yes (`--mode "
      "always:A`). Percent right, and of the control: how often \"not enough information\" is said "
      "while noise destroys the picture, and the share of answers that need it.\n\n{}\n",
      shown_as(table));
}

}  // namespace

void add_bias(DemoSteps& steps, const fs::path& world, const fs::path& output, bool is_silent) {
  for (const MockEndpoint& endpoint : kEndpoints) ask(endpoint, steps, world / "bias", output);
  const report::Table table = DemoTables(output).by_model(kNames, kColumns, /*with_names=*/false);
  const fs::path file = output / "report.md";
  write_text_file(file, read_text_file(file) + told(table, &report::Table::as_markdown));
  if (!is_silent)
    fmt::print("{}", for_terminal(told(table, [](const report::Table& one) {
                 return one.as_text(kTextWidth);
               })));
}

}  // namespace snellen::cli
