// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/ngram_counts.h"

#include <gmock/gmock.h>

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
  // Words a, b, c; then (a b), (b a), (c b) in the order they come.
  EXPECT_EQ(counts.num_ids(), 6u);
  EXPECT_THAT(counts.grams(0, 0), ElementsAre(Gram{0, 2}, Gram{1, 2}));
  EXPECT_THAT(counts.grams(0, 1), ElementsAre(Gram{3, 2}, Gram{4, 1}));
  EXPECT_THAT(counts.grams(1), IsEmpty());
  EXPECT_THAT(counts.grams(3),
              ElementsAre(Gram{0, 1}, Gram{1, 1}, Gram{2, 1}, Gram{4, 1}, Gram{5, 1}));
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
