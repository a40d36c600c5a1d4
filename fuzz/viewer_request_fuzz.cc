// SPDX-License-Identifier: Apache-2.0
// Requests to the viewer: a line with method, path and query, lines of headers, then the body. Any
// of them gets an answer that is no fault of ours.
#include <algorithm>
#include <array>

#include "fuzz/fuzz_file.h"
#include "snellen/store/results.h"
#include "snellen/store/samples.h"
#include "snellen/viewer/viewer.h"

namespace {

namespace fs = std::filesystem;
using namespace snellen;

// A run with a right, a wrong and a failed item.
const fs::path& runs_folder() {
  static const fs::path kPath = [] {
    const fs::path path =
        fs::temp_directory_path() / ("snellen_fuzz_viewer_" + std::to_string(getpid()));
    fs::remove_all(path);
    fs::create_directories(path / "r");
    std::ofstream(path / "r/run.json")
        << R"({"schema":1,"model":"m","verdict":"complete","identity":{}})";
    std::ofstream(path / "r/results.json")
        << R"({"schema":1,"run":"r","metrics":[{"id":"t/acc","value":0.5,"n":2}]})";
    store::Samples samples = store::Samples::open_to_write(path / "r/samples.db");
    samples.set_tasks({{.name = "t",
                        .parts = {{"p", 3}},
                        .columns = {{.name = "acc", .is_share = true}},
                        .shape = {.num_visuals = 1, .num_texts = 2, .num_scores = 2}}});
    store::Sample right{.item = "a",
                        .clusters = {"c"},
                        .category = "k",
                        .scores = {2, 1},
                        .values = {1},
                        .is_correct = true,
                        .margin = 1,
                        .visuals = {{.name = "v.png", .path = "/nowhere/v.png"}},
                        .texts = {"x", "y"}};
    store::Sample wrong = right;
    wrong.position = 1;
    wrong.item = "b";
    wrong.values = {0};
    wrong.is_correct = false;
    wrong.margin = -1;
    store::Sample failed{.position = 2,
                         .item = "c",
                         .status = store::SampleStatus::kFailed,
                         .error = Error{ErrorCode::kInvalidInput, "bad", "here", "mend it"}};
    const std::array batch = {right, wrong, failed};
    samples.add(batch);
    return path;
  }();
  return kPath;
}

std::string_view taken(std::string_view& text, char end) {
  const size_t at = std::min(text.find(end), text.size());
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return part;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static viewer::Viewer viewer({runs_folder()}, {}, {});
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  std::string_view start = taken(rest, '\n');
  http::Request request;
  request.method = taken(start, ' ');
  request.path = taken(start, '?');
  while (!start.empty()) {
    std::string_view field = taken(start, '&');
    const std::string_view name = taken(field, '=');
    request.query.emplace_back(name, field);
  }
  request.headers = {{"Host", "127.0.0.1:1"}, {"Origin", "http://127.0.0.1:1"}};
  while (!rest.empty()) {
    std::string_view line = taken(rest, '\n');
    if (line.empty()) break;
    const std::string_view name = taken(line, ':');
    request.headers.emplace_back(name, line);
  }
  request.body = rest;
  const http::Response response = viewer.answer(request);
  if (response.status == 500) std::abort();
  // Marks of earlier inputs would make a later one slow.
  std::error_code ignored;
  if (request.method == "POST") fs::remove(runs_folder() / "r.marks.jsonl", ignored);
  return 0;
}
