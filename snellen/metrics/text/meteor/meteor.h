// SPDX-License-Identifier: Apache-2.0
// METEOR 1.5, English (Denkowski and Lavie 2014), statistics and scores equal to the Java
// program's: exact, stem, synonym and paraphrase matches, aligned by beam search, weighed into one
// score. See docs/metrics/meteor.md.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/metrics/text/meteor/beam_search.h"
#include "snellen/metrics/text/meteor/line_cache.h"
#include "snellen/metrics/text/meteor/score.h"
#include "snellen/text/meteor/meteor_data.h"

namespace snellen::metrics::meteor {

class Meteor;

// The memory of one thread: buffers, and what it has learnt about words and lines. Made once, used
// for many segments.
class Scratch {
 public:
  explicit Scratch(const Meteor& meteor);

 private:
  friend class Meteor;
  std::shared_ptr<const text::meteor::MeteorData> data_;
  LineCache lines_;
  Matches matches_;
  BeamSearch search_;
};

struct Segment {
  Statistics statistics;  // those of the best reference
  Score score;
  size_t best_reference = 0;  // the first with the largest score
};

// Const methods are safe from many threads, each with a Scratch of its own.
class Meteor {
 public:
  explicit Meteor(std::shared_ptr<const text::meteor::MeteorData> data, Parameters parameters = {});

  const text::meteor::MeteorData& data() const { return *data_; }
  const Parameters& parameters() const { return parameters_; }

  // One hypothesis against at least one reference; the reference with the best score counts, the
  // first on ties. Texts are taken as they are: see meteor_hypothesis and meteor_reference. Throws
  // kInvalidInput for lines of over 30,000 words, and for lines that match in millions of ways.
  Segment score(std::string_view hypothesis,
                std::span<const std::string_view> references,
                Scratch& scratch) const;
  Segment score(std::string_view hypothesis,
                std::span<const std::string> references,
                Scratch& scratch) const;

  // The normalised, lower-cased words, joined by spaces. The view holds until the scratch is used
  // again.
  std::string_view normalize(std::string_view text, Scratch& scratch) const;

 private:
  friend class Scratch;
  template <typename Text>
  Segment score_all(std::string_view hypothesis,
                    std::span<const Text> references,
                    Scratch& scratch) const;
  Statistics compare(const Line& hypothesis, const Line& reference, Scratch& scratch) const;

  std::shared_ptr<const text::meteor::MeteorData> data_;
  Parameters parameters_;
};

// A generation as the evaluation scripts hand it over: stripped, every "|||" deleted, white-space
// runs one space.
std::string meteor_hypothesis(std::string_view text);
// A reference likewise, but "|||" becomes a space.
std::string meteor_reference(std::string_view text);
// compat: a "|||" inside a reference splits it in two, as it does on the way to the Java program.
std::vector<std::string> meteor_references_compat(std::string_view text);

}  // namespace snellen::metrics::meteor
