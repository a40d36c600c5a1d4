// SPDX-License-Identifier: Apache-2.0
// A user's own task: the file, each item of it, and the same lines read as scores.
#include "fuzz/fuzz_file.h"
#include "snellen/annotations/items/items_file.h"
#include "snellen/base/error.h"
#include "snellen/tasks/file/survey.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace annotations = snellen::annotations;
  namespace file = snellen::tasks::file;
  snellen::fuzz::FuzzFile source(data, size);
  try {
    annotations::ItemsFile items(source.path());
    file::MetricTable table(items, snellen::metrics::Ties::kHalf);
    for (size_t i = 0; i < items.size(); ++i) {
      snellen::Result<annotations::ItemLine> line = items.item(i);
      if (!line) continue;
      snellen::Result<size_t> metric = table.metric_of(*line);
      if (!metric) continue;
      file::ShapeOf made(*line);
      snellen::metrics::ItemShape shape = made.shape();
      const snellen::metrics::Metric& judge = *table.metric(*metric).metric;
      if (judge.misfit(shape)) continue;
      std::vector<double> scores(shape.is_asked.size(), 1.0);
      (void)judge.judge({shape, scores, snellen::metrics::Ties::kHalf});
    }
  } catch (const snellen::Error&) {
    // refusing is right
  }
  (void)annotations::parse_item_scores({reinterpret_cast<const char*>(data), size}).is_ok();
  return 0;
}
