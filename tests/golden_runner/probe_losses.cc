// SPDX-License-Identifier: Apache-2.0
#include "tests/golden_runner/probe_losses.h"

#include "snellen/models/nn/layers.h"
#include "snellen/training/learners/losses.h"
#include "snellen/training/learners/pair_loss.h"

namespace snellen::golden {
namespace {

constexpr double kTolerance = 1e-9;

at::Tensor rows(const Json& json) {
  std::vector<double> values;
  for (const Json& row : json) {
    for (const Json& value : row) values.push_back(value);
  }
  return at::tensor(values, at::kDouble).view({static_cast<int64_t>(json.size()), -1});
}

void near(Tally& tally, const at::Tensor& got, const Json& want, const char* what) {
  tally.near_relative(got.item<double>(), want, kTolerance, what);
}

// A vector's samples as a learner sees a batch: n pictures and texts that belong together, and
// behind them their n negatives.
class Samples {
 public:
  explicit Samples(const Json& json) : num_samples_(static_cast<int64_t>(json["image"].size())) {
    using models::nn::l2_normalized;
    const at::Tensor visuals = at::cat({rows(json["image"]), rows(json["image_neg"])});
    const at::Tensor texts = at::cat({rows(json["text"]), rows(json["text_neg"])});
    cosines_ = l2_normalized(visuals).matmul(l2_normalized(texts).t());
    options_.margin = json["margin"];
    scale_ = at::tensor(json["logit_scale"].get<double>(), at::kDouble);
    pairs_.visuals = pairs_.texts = places(false);
    pairs_.same = training::same_texts(pairs_.texts);
  }

  training::ContrastiveLoss contrastive() const {
    return training::contrastive_loss(
        scale_ * cosines_.narrow(0, 0, num_samples_).narrow(1, 0, num_samples_), pairs_.same);
  }

  // The hinges [n] of samples whose right and wrong pairs are such.
  struct Pair {
    bool is_visual_negative;
    bool is_text_negative;
  };
  at::Tensor hinges(Pair right, Pair wrong) {
    const auto score = [&](const Pair& pair) {
      return cosines_.index({places(pair.is_visual_negative), places(pair.is_text_negative)});
    };
    add(pairs_.right_visuals, places(right.is_visual_negative));
    add(pairs_.right_texts, places(right.is_text_negative));
    add(pairs_.wrong_visuals, places(wrong.is_visual_negative));
    add(pairs_.wrong_texts, places(wrong.is_text_negative));
    return training::hinge(score(right), score(wrong), options_.margin);
  }

  // The mean of all hinges that were asked for, as a learner takes it.
  at::Tensor loss() {
    const int64_t count = pairs_.right_visuals.size(0);
    pairs_.weights = at::full({count}, 1.0 / static_cast<double>(count), at::kDouble);
    return training::pair_loss(cosines_, scale_, pairs_, options_).contrasts;
  }

 private:
  at::Tensor places(bool is_negative) const {
    const int64_t first = is_negative ? num_samples_ : 0;
    return at::arange(first, first + num_samples_, at::kLong);
  }
  static void add(at::Tensor& all, const at::Tensor& more) {
    all = all.defined() ? at::cat({all, more}) : more;
  }

  int64_t num_samples_;
  at::Tensor cosines_;
  at::Tensor scale_;
  training::Pairs pairs_;
  training::LearnerOptions options_;
};

void check_case(const Json& json, Tally& tally) {
  tally.start("contrastive");
  const training::ContrastiveLoss contrastive = Samples(json).contrastive();
  near(tally, contrastive.image_to_text, json["contrastive"]["image_to_text"], "image_to_text");
  near(tally, contrastive.text_to_image, json["contrastive"]["text_to_image"], "text_to_image");
  near(tally, contrastive.loss, json["contrastive"]["loss"], "loss");
  tally.start("itm_composition");
  // The text for either picture, then the picture for either text.
  Samples composed(json);
  const std::vector<at::Tensor> four = {
      composed.hinges({false, false}, {false, true}),
      composed.hinges({true, true}, {true, false}),
      composed.hinges({false, false}, {true, false}),
      composed.hinges({true, true}, {false, true}),
  };
  const Json& composition = json["itm_composition"];
  for (size_t i = 0; i < composition["per_sample_four_hinges"].size(); ++i) {
    for (size_t j = 0; j < four.size(); ++j)
      near(tally,
           four[j][static_cast<int64_t>(i)],
           composition["per_sample_four_hinges"][i][j],
           "four hinges");
  }
  near(tally, composed.loss(), composition["loss"], "loss");
  tally.start("itm_relation_text_negative");
  Samples related(json);
  const at::Tensor one = related.hinges({false, false}, {false, true});
  const Json& relation = json["itm_relation_text_negative"];
  for (size_t i = 0; i < relation["per_sample"].size(); ++i)
    near(tally, one[static_cast<int64_t>(i)], relation["per_sample"][i], "per_sample");
  near(tally, related.loss(), relation["loss"], "loss");
}

}  // namespace

void check_losses(const Context& context, Tally& tally) {
  Json json = context.json();
  if (json.contains("cases")) {
    for (const Json& one : json["cases"]) check_case(one, tally);
  } else {
    check_case(json, tally);
  }
}

}  // namespace snellen::golden
