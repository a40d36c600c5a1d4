// SPDX-License-Identifier: Apache-2.0
#include "tests/golden_runner/probe_losses.h"

#include "snellen/training/learners/losses.h"

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

void check_case(const Json& json, Tally& tally) {
  at::Tensor image = rows(json["image"]), text = rows(json["text"]);
  at::Tensor image_neg = rows(json["image_neg"]), text_neg = rows(json["text_neg"]);
  double margin = json["margin"];
  tally.start("contrastive");
  training::ContrastiveLoss contrastive = training::contrastive_loss(
      image, text, at::tensor(json["logit_scale"].get<double>(), at::kDouble));
  near(tally, contrastive.image_to_text, json["contrastive"]["image_to_text"], "image_to_text");
  near(tally, contrastive.text_to_image, json["contrastive"]["text_to_image"], "text_to_image");
  near(tally, contrastive.loss, json["contrastive"]["loss"], "loss");
  tally.start("itm_composition");
  at::Tensor four = training::composition_hinges(image, image_neg, text, text_neg, margin);
  const Json& composition = json["itm_composition"];
  for (size_t i = 0; i < composition["per_sample_four_hinges"].size(); ++i) {
    for (size_t j = 0; j < 4; ++j)
      near(tally,
           four[static_cast<int64_t>(i)][static_cast<int64_t>(j)],
           composition["per_sample_four_hinges"][i][j],
           "four hinges");
  }
  near(tally, four.mean(), composition["loss"], "loss");
  tally.start("itm_relation_text_negative");
  at::Tensor one = training::hinge(
      training::row_cosines(image, text), training::row_cosines(image, text_neg), margin);
  const Json& relation = json["itm_relation_text_negative"];
  for (size_t i = 0; i < relation["per_sample"].size(); ++i)
    near(tally, one[static_cast<int64_t>(i)], relation["per_sample"][i], "per_sample");
  near(tally, one.mean(), relation["loss"], "loss");
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
