// SPDX-License-Identifier: Apache-2.0
// Any bytes: all four numbers stay in their ranges.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "snellen/text/vader/vader.h"

namespace {

using snellen::text::EmojiTable;
using snellen::text::Sentiment;
using snellen::text::Vader;
using snellen::text::VaderVariant;
using snellen::text::VaderWords;

const Vader& vader() {
  // A few words of our own; the published lexicon is not in the repository.
  static const Vader instance(VaderWords("good\t1.9\nbad\t-2.5\nkind\t2.4\nheart\t3.2\nno\t-1."
                                         "2\njoy\t2.7\ndie\t-2.9\nshit\t-2.6\n:)\t2.0\n",
                                         "toy"),
                              EmojiTable("\xF0\x9F\x98\x80\tgood face\n", "toy"),
                              VaderVariant::kReference);
  return instance;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Sentiment score = vader().score({reinterpret_cast<const char*>(data), size});
  bool is_sound = score.compound >= -1 && score.compound <= 1 && score.neg >= 0 && score.neg <= 1 &&
                  score.neu >= 0 && score.neu <= 1 && score.pos >= 0 && score.pos <= 1;
  if (!is_sound) std::abort();
  return 0;
}
