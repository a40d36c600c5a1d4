// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/text/ngram_counts.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace snellen::metrics {

bool operator==(const Gram& a, const Gram& b) {
  return a.id == b.id && a.count == b.count;
}

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

text::StringPool small_pool() {
  text::StringPool pool;
  for (const char* text : {"a b a b", "", "b a", "c b a", "a b a b a"}) pool.add(text);
  return pool;
}

TEST(NgramCounts, CountsEveryOrderSortedById) {
  text::StringPool pool = small_pool();
  NgramCounts counts(pool, 2, {});
  auto id = [&](uint32_t prefix, uint32_t word) {
    return counts.id_of(counts.ngrams().find(prefix, word));
  };
  auto sorted = [](std::vector<Gram> grams) {
    std::sort(grams.begin(), grams.end(), [](const Gram& a, const Gram& b) { return a.id < b.id; });
    return testing::ElementsAreArray(grams);
  };
  // Words a, b, c are 0, 1, 2; n-grams come after them.
  EXPECT_THAT(counts.grams(0, 0), ElementsAre(Gram{0, 2}, Gram{1, 2}));
  EXPECT_THAT(counts.grams(0, 1), sorted({{id(0, 1), 2}, {id(1, 0), 1}}));
  EXPECT_GE(id(0, 1), 3u);
  EXPECT_LT(id(2, 1), counts.num_ids());
  EXPECT_THAT(counts.grams(1), IsEmpty());
  EXPECT_THAT(counts.grams(3, 0), ElementsAre(Gram{0, 1}, Gram{1, 1}, Gram{2, 1}));
  EXPECT_THAT(counts.grams(3, 1), sorted({{id(2, 1), 1}, {id(1, 0), 1}}));
  EXPECT_EQ(counts.num_words_of(4), 5u);
}

TEST(NgramCounts, DoNotDependOnParts) {
  text::StringPool pool = small_pool();
  NgramCounts whole(pool, 4, {});
  for (size_t num_parts : {2, 3, 7}) {
    NgramCounts shared(pool, 4, {.num_parts = num_parts, .run = {}});
    EXPECT_EQ(shared.num_ids(), whole.num_ids());
    for (uint32_t text = 0; text < pool.size(); ++text) {
      EXPECT_THAT(shared.grams(text), testing::ElementsAreArray(whole.grams(text))) << text;
      EXPECT_EQ(shared.num_words_of(text), whole.num_words_of(text));
    }
  }
}

}  // namespace
}  // namespace snellen::metrics
