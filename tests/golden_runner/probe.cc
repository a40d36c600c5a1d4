// SPDX-License-Identifier: Apache-2.0
#include "tests/golden_runner/golden.h"

#include "snellen/annotations/probe/attribute_table.h"
#include "snellen/base/hash.h"
#include "snellen/base/rng.h"
#include "snellen/metrics/choice/average_precision.h"
#include "snellen/metrics/choice/pair_choice.h"
#include "snellen/metrics/vilma/four_decimals.h"
#include "tests/golden_runner/probe_construct.h"
#include "tests/golden_runner/probe_losses.h"
#include "tests/golden_runner/probe_masks.h"
#include "tests/golden_runner/probe_patch.h"
#include "tests/golden_runner/probe_resize.h"
#include "tests/golden_runner/probe_runs.h"

namespace snellen::golden {
namespace {

void check_prng(const Context& context, Tally& tally) {
  Json json = context.json();
  for (const Json& one : json["cases"]) {
    std::string key = one["key"];
    tally.start(key);
    tally.expect(std::to_string(fnv1a64(key)) == one["fnv1a64"].get<std::string>(), "fnv1a64");
    Rng next(key);
    for (const Json& want : one["next4"])
      tally.expect(std::to_string(next.next()) == want.get<std::string>(), "next4");
    Rng below(key);
    const std::vector<uint64_t> limits = {1, 2, 10, 1000, 1000000000000};
    for (size_t i = 0; i < limits.size(); ++i) {
      tally.expect(below.below(limits[i]) == one["below_1_2_10_1000_1e12"][i].get<uint64_t>(),
                   "below");
    }
    Rng u01(key);
    for (const Json& want : one["u01_3"]) tally.near(u01.u01(), want, 1e-12, "u01_3");
    Rng gauss(key);
    for (const Json& want : one["gauss4"]) tally.near(gauss.gauss(), want, 1e-9, "gauss4");
    Rng shuffle(key);
    std::vector<int> ten = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    shuffle.shuffle<int>(ten);
    tally.expect(ten == one["shuffle10"].get<std::vector<int>>(), "shuffle10");
    Rng sample(key);
    std::vector<int> twenty;
    for (int i = 0; i < 20; ++i) twenty.push_back(i);
    auto five = sample.sample_filtered<int>(twenty, 5, [](int x) { return x % 3 != 0; });
    tally.expect(five && *five == one["sample5_of_20_not_multiple_of_3"].get<std::vector<int>>(),
                 "sample5");
  }
}

void check_pair(const Context& context, Tally& tally) {
  Json json = context.json();
  for (const Json& one : json["cases"]) {
    tally.start(one.dump());
    metrics::PairChoice choice = metrics::pair_choice(one["a"], one["b"]);
    tally.near(choice.confidence, one["conf"], 1e-9, "conf");
    tally.expect(int{choice.is_correct} == one["acc"].get<int>(), "acc");
  }
}

void check_ap(const Context& context, Tally& tally) {
  Json json = context.json();
  for (const Json& one : json["cases"]) {
    tally.start(one["score"].dump());
    std::vector<uint8_t> target = one["target"];
    std::vector<double> score = one["score"];
    tally.near(metrics::average_precision(target, score), one["ap_default"], 1e-9, "ap_default");
    tally.near(
        metrics::average_precision_compat(target, score), one["ap_compat"], 1e-9, "ap_compat");
  }
}

void check_rounding(const Context& context, Tally& tally) {
  Json json = context.json();
  for (const Json& one : json["cases"]) {
    tally.start(one["x"].dump());
    tally.near(metrics::round_mean(one["x"]), one["mean_rule"], 0, "mean_rule");
    tally.near(
        metrics::round_probe_r_accuracy(one["x"]), one["probe_r_acc_rule"], 0, "probe_r_acc_rule");
  }
}

void check_attributes(const Context& context, Tally& tally) {
  Json want = context.json();
  annotations::AttributeTable table;
  Json got;
  for (const annotations::Attribute& attribute : table.attributes())
    got["categories"][attribute.category][attribute.name] = attribute.antonyms;
  got["synonym_groups"] = table.synonym_groups();
  got["count"] = table.attributes().size();
  tally.start("table");
  tally.same(got, want, 0, "attributes", /*key_order=*/true);
}

}  // namespace

std::vector<KnownFile> probe_files() {
  return {
      vector_file("prng.json", check_prng),
      vector_file("pair.json", check_pair),
      vector_file("probe_r.json", check_probe_r),
      vector_file("probe_c.json", check_probe_c),
      vector_file("ap.json", check_ap),
      vector_file("probe_b_mr.json", check_probe_b_mr),
      vector_file("probe_b_r.json", check_probe_b_r),
      vector_file("rounding.json", check_rounding),
      vector_file("attributes.json", check_attributes),
      vector_file("interp.json", check_interp),
      vector_file("losses.json", check_losses),
      vector_file("mask.json", check_mask),
      vector_file("construct_r.json", check_construct_r),
      vector_file("construct_c.json", check_construct_c),
      vector_file("resize.json", check_resize),
      vector_file("construct_b.json", check_construct_b),
  };
}

}  // namespace snellen::golden
