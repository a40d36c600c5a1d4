// SPDX-License-Identifier: Apache-2.0
// Questions of several sources, asked together: each distinct picture is read once, whatever asks
// about it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "snellen/metrics/measurement.h"
#include "snellen/text/tokenizers/tokenizer.h"
#include "snellen/training/data/slot_cache.h"
#include "snellen/training/probes/probe_question.h"

namespace snellen::training {

struct ProbeSetOptions {
  size_t max_tokens = 0;                     // texts are cut there
  uint64_t cache_bytes = uint64_t{2} << 30;  // of pictures kept from one asking to the next
  unsigned num_threads = 1;                  // that read pictures; they change nothing
};

// How the questions of a batch are scored: pictures and texts, and the pairs that are asked for.
struct ProbeScorer {
  std::function<std::vector<double>(const Batch& batch, std::span<const Match> asked)> score;
  bool is_safe_from_threads = false;  // else it is called on the asking thread alone
  std::function<void(uint64_t done, uint64_t total)> observe = {};
};

struct ProbeReport {
  std::vector<metrics::Measurement> scores;  // one for each name, value NaN when none was asked
  uint64_t num_failed = 0;                   // questions that could not be asked
  std::vector<std::string> reasons;          // of the first few
};

// Const methods are safe from many threads. The tokenizer must outlive this.
class ProbeSet {
 public:
  // Throws kUsage when two sources give questions of one name, and kInvalidInput for a source of
  // which not one question can be read.
  ProbeSet(std::vector<std::unique_ptr<ProbeSource>> sources,
           const text::Tokenizer& tokenizer,
           ProbeSetOptions options);

  // In the order of the sources.
  const std::vector<std::string>& names() const { return names_; }
  size_t num_pictures() const { return pictures_.size(); }
  // In which the questions are asked.
  uint64_t num_batches() const { return begins_.size() - 1; }

  // Asks everything. A score that is not finite, or a picture that cannot be read, fails its
  // question alone. Nothing depends on the number of threads.
  ProbeReport ask(const ProbeScorer& scorer) const;

 private:
  struct Place {  // of a question
    uint32_t source = 0;
    uint32_t picture = 0;  // its first, by number
    uint64_t index = 0;
  };
  struct Picture {
    uint32_t source = 0;
    std::string key;
  };
  struct Asked;
  struct Bundle;
  void survey(uint32_t source);
  uint32_t picture_number(uint32_t source, const std::string& key);
  void make_batches();
  Result<media::Image> picture(uint32_t number) const;
  Bundle bundle(uint64_t batch) const;
  void add(Result<ProbeQuestion> question, Bundle& bundle) const;
  static void judge(Bundle& bundle, const std::vector<double>& scores);

  std::vector<std::unique_ptr<ProbeSource>> sources_;
  const text::Tokenizer& tokenizer_;
  ProbeSetOptions options_;
  std::vector<std::string> names_;
  std::vector<Place> places_;   // by first picture
  std::vector<size_t> begins_;  // of batches in places_, and the end
  std::vector<Picture> pictures_;
  std::map<std::string, uint32_t> numbers_;  // of pictures
  using Kept = std::shared_ptr<const Result<media::Image>>;
  std::unique_ptr<SlotCache<Kept>> cache_;
};

}  // namespace snellen::training
