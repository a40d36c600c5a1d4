// SPDX-License-Identifier: Apache-2.0
#include "tests/golden_runner/golden.h"

#include "snellen/base/hash.h"
#include "snellen/base/rng.h"

namespace snellen::golden {
namespace {

void check_prng(const Context& context, Tally& tally) {
  Json json = context.json();
  for (const Json& one : json["cases"]) {
    std::string key = one["key"];
    tally.start(key);
    tally.expect(std::to_string(fnv1a64(key)) == one["fnv1a64"].get<std::string>(), "fnv1a64");
    Rng next(key);
    for (const Json& want : one["next4"]) tally.expect(std::to_string(next.next()) == want.get<std::string>(), "next4");
    Rng below(key);
    const std::vector<uint64_t> limits = {1, 2, 10, 1000, 1000000000000};
    for (size_t i = 0; i < limits.size(); ++i) {
      tally.expect(below.below(limits[i]) == one["below_1_2_10_1000_1e12"][i].get<uint64_t>(), "below");
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
    tally.expect(five && *five == one["sample5_of_20_not_multiple_of_3"].get<std::vector<int>>(), "sample5");
  }
}

}  // namespace

std::vector<KnownFile> probe_files() {
  return {
      vector_file("prng.json", check_prng),
      pending_file("pair.json"),
      pending_file("probe_r.json"),
      pending_file("probe_c.json"),
      pending_file("ap.json"),
      pending_file("probe_b_mr.json"),
      pending_file("probe_b_r.json"),
      pending_file("rounding.json"),
      pending_file("attributes.json"),
      pending_file("interp.json"),
      pending_file("losses.json"),
      pending_file("mask.json"),
      pending_file("construct_r.json"),
      pending_file("construct_c.json"),
      pending_file("construct_b.json"),
      pending_file("resize.json"),
  };
}

}  // namespace snellen::golden
