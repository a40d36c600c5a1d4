// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "apps/cli/text/language_folder.h"

namespace snellen::cli {

struct Gruen {
  double grammaticality = 0;
  double redundancy = 0;
  double total = 0;  // NaN where it needs the similarity of sentences, which is not computed
};

// GRUEN of texts (docs/spec/vilma.md 7.8) from two BERT folders: a masked language model and a
// classifier of acceptability. Const methods are safe from many threads.
class GruenScorer {
 public:
  // Throws kUsage naming the flag whose folder does not fit.
  GruenScorer(const Context& context,
              const std::string& mlm,
              const std::string& mlm_flag,
              const std::string& cola,
              const std::string& cola_flag);

  Gruen score(const std::string& text) const;

 private:
  LanguageFolder mlm_;
  LanguageFolder cola_;
};

}  // namespace snellen::cli
