// SPDX-License-Identifier: Apache-2.0
// Any line to METEOR's stdio protocol: at least one answer line, each ended.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "snellen/base/error.h"
#include "snellen/metrics/text/meteor/stdio_protocol.h"
#include "snellen/text/meteor/paraphrase_builder.h"

namespace {

using snellen::metrics::meteor::Meteor;

std::shared_ptr<const snellen::text::meteor::MeteorData> small_data() {
  snellen::text::meteor::LexiconTexts texts;
  texts.synsets = "dog\n1 2\nhound\n2\nrun\n3\n";
  texts.exceptions = "run\nran\n";
  const std::pair<std::string, std::string> pairs[] = {
      {"two", "a couple of"}, {"a couple of", "two"}, {"a", "two two"}};
  auto data = std::make_shared<snellen::text::meteor::MeteorData>();
  data->lexicon = snellen::text::meteor::lexicon_of(texts);
  data->paraphrases = snellen::text::meteor::index_of_pairs(pairs);
  return data;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  static const Meteor meteor(small_data());
  snellen::metrics::meteor::StdioProtocol protocol(meteor);
  std::string_view line(reinterpret_cast<const char*>(bytes), size);
  std::string out;
  try {
    protocol.answer(line, out);
    if (out.empty() || out.back() != '\n') std::abort();
    out.clear();
    protocol.answer(std::string("SCORE ||| two dogs ran ||| ").append(line), out);
  } catch (const snellen::Error&) {
  }
  return 0;
}
