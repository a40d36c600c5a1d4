// SPDX-License-Identifier: Apache-2.0
// What a report reads beside run.json: results, control ladders, lists of features, logs of
// trainings and sweeps of patches, of somebody else's folders. The first byte chooses the file.
#include <array>

#include "fuzz/fuzz_file.h"
#include "snellen/report/pages/report_page.h"
#include "snellen/run/control/control_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace snellen;
  namespace fs = std::filesystem;
  if (size == 0) return 0;
  constexpr auto kNames = std::to_array<std::string_view>(
      {"results.json", "control.json", "features/probe-r.json", "train.jsonl", "curve.json"});
  const std::string_view name = kNames[data[0] % kNames.size()];
  const fuzz::FuzzFolder folder(data + 1, size - 1, {name});
  std::ofstream(folder.path() / "run.json") << R"({"schema":1,"verdict":"complete"})";
  if (name != "results.json")
    std::ofstream(folder.path() / "results.json")
        << R"({"schema":1,"run":"r","metrics":[{"id":"t/acc","value":0.5,"n":4,"chance":0.5}]})";
  fuzz::try_reading([&] {
    const report::ReportInput input = report::read_report_input(std::array{folder.path()});
    const report::Report made = report::make_report(input);
    (void)report::report_as_html(made);
    (void)report::report_as_markdown(made);
    (void)report::report_as_latex(made);
  });
  fuzz::try_reading([&] { (void)run::left_out_of(folder.path()); });
  return 0;
}
