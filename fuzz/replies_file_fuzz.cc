// SPDX-License-Identifier: Apache-2.0
// Replies of an adapter in a file, and the requests that they answer: refused, or every question
// gets its values or an Error.
#include <algorithm>
#include <array>

#include "fuzz/fuzz_file.h"
#include "snellen/models/exec/offline.h"
#include "snellen/models/exec/protocol.h"
#include "snellen/models/worker.h"

namespace snellen::models {
std::unique_ptr<ModelEntry> make_replies();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace snellen;
  static const std::unique_ptr<models::ModelEntry> kEntry = models::make_replies();
  const models::WorkerQuestion question = {.item = "a", .texts = {"x", "y", "z"}};
  // "ID3", "ID2" and "ID1" stand for the requests about so many texts.
  std::string lines(reinterpret_cast<const char*>(data), size);
  for (size_t count = 1; count <= 3; ++count) {
    const std::string id = models::exec::offline_id(question, 0, count);
    const std::string mark = "ID" + std::to_string(count);
    if (const size_t at = lines.find(mark); at != std::string::npos)
      lines.replace(at, mark.size(), id);
  }
  const fuzz::FuzzFile file(reinterpret_cast<const uint8_t*>(lines.data()), lines.size());
  fuzz::try_reading([&] {
    const auto worker = dynamic_cast<const models::WorkerEntry&>(*kEntry).open_worker(
        {.argument = file.path().string()});
    (void)worker->identity();
    if (worker->traits().embeds)
      (void)worker->embed(std::array{question}, {});
    else
      (void)worker->score(question, {}).is_ok();
    (void)worker->notes();
  });
  size_t begin = 0;
  while (begin < lines.size()) {
    const size_t end = std::min(lines.find('\n', begin), lines.size());
    (void)models::exec::read_request(std::string_view(lines).substr(begin, end - begin)).is_ok();
    begin = end + 1;
  }
  return 0;
}
