// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/media/file_batch.h"
#include "apps/cli/print.h"

#include <algorithm>
#include <cstdio>
#include <optional>

#include <fmt/format.h>

#include "snellen/base/cores.h"
#include "snellen/base/ordered_pipeline.h"
#include "snellen/store/error_json.h"
#include "snellen/store/run_folder.h"

namespace snellen::cli {

unsigned batch_threads(unsigned asked, size_t count) {
  const unsigned wanted = threads_or_cores(asked);
  return static_cast<unsigned>(std::clamp<size_t>(count, 1, wanted));
}

int run_file_batch(const Context& context,
                   size_t count,
                   unsigned num_threads,
                   const std::function<Result<FileDone>(size_t)>& work) {
  auto all = nlohmann::ordered_json::array();
  std::optional<Error> first_error;
  size_t num_failed = 0;
  auto take = [&](Result<FileDone>&& done) {
    if (done) {
      if (context.wants_json) {
        all.push_back(done->json);
      } else {
        fmt::print("{}\n", done->line);
      }
      return;
    }
    ++num_failed;
    if (!first_error) first_error = done.error();
    // A single failure is told once, by main.
    if (count > 1 && !context.wants_json) print_note("failed: {}\n", done.error().what());
    all.push_back({{"error", nlohmann::json::parse(store::error_to_json(done.error()))}});
  };
  ordered_pipeline<Result<FileDone>>(
      count, batch_threads(num_threads, count), work, take, [] { return false; });
  if (num_failed > 0 && num_failed == count) throw *first_error;
  if (context.wants_json) fmt::print("{}\n", store::json_text(all, 1));
  if (num_failed == 0) return 0;
  print_note("{} of {} files failed\n", num_failed, count);
  return 4;
}

}  // namespace snellen::cli
