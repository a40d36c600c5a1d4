// SPDX-License-Identifier: Apache-2.0
// A WordNet folder: the same bytes as every index and every list of exceptions.
#include "fuzz/fuzz_file.h"
#include "snellen/text/meteor/wordnet.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace snellen;
  const fuzz::FuzzFolder folder(data,
                                size,
                                {"index.noun",
                                 "index.verb",
                                 "index.adj",
                                 "index.adv",
                                 "noun.exc",
                                 "verb.exc",
                                 "adj.exc",
                                 "adv.exc"});
  fuzz::try_reading([&] { (void)text::meteor::lexicon_from_wordnet(folder.path()); });
  return 0;
}
