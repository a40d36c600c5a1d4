// SPDX-License-Identifier: Apache-2.0
#include "tests/golden_runner/bias_stats.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "snellen/stats/cluster_sums.h"
#include "snellen/stats/interval.h"
#include "snellen/stats/paired.h"
#include "snellen/stats/quantile.h"

namespace snellen::golden {
namespace {

constexpr double kTolerance = 1e-8;  // relative; the vectors carry 10 digits
constexpr double kConfidence = 0.95;

using Values = std::vector<double>;

// Relative to the number itself, with a floor for what is zero up to rounding.
void check_number(double got, const Json& want, std::string_view what, Tally& tally) {
  double size = want.is_number() ? std::abs(want.get<double>()) : 0.0;
  tally.near(got, want, std::max(kTolerance * size, 1e-12), what);
}

// A null `want` asks for no interval.
void check_interval(const std::optional<stats::Interval>& got, const Json& want, Tally& tally) {
  tally.expect(got.has_value() != want.is_null(), "interval is there or not");
  if (!got || want.is_null()) return;
  check_number(got->low, want.at(0), "lower bound", tally);
  check_number(got->high, want.at(1), "upper bound", tally);
}

void check_mcnemar(const Json& want, Tally& tally) {
  stats::McNemar got = stats::mcnemar(want.at("b").get<uint64_t>(), want.at("c").get<uint64_t>());
  check_number(got.exact, want.at("exact"), "exact", tally);
  check_number(got.mid_p, want.at("midp"), "midp", tally);
  check_number(got.chi2_corrected, want.at("chi2_cc"), "chi2_cc", tally);
  check_number(got.p_corrected, want.at("p_cc"), "p_cc", tally);
}

stats::BootstrapOptions options_of(const Json& json) {
  return {.replicates = json.at("B").get<uint64_t>(),
          .confidence = kConfidence,
          .seed = json.at("seed").get<uint64_t>()};
}

// What `--bootstrap B` computes of items that share nothing.
std::optional<stats::Interval> bootstrap_mean(const Values& values,
                                              const stats::BootstrapOptions& options) {
  stats::ClusterSums items(1);
  for (double value : values) items.add(items.unit(std::to_string(items.num_units())), 0, value);
  return items.intervals(options)[0];
}

void check_quantiles(const Json& json, Tally& tally) {
  tally.start("quantile_type7");
  Values sorted = json.at("x").get<Values>();
  std::sort(sorted.begin(), sorted.end());
  const Json& expected = json.at("expected");
  tally.expect(json.at("q").size() == expected.size(), "one expected value per q");
  for (size_t i = 0; i < expected.size(); ++i) {
    check_number(stats::quantile(sorted, json.at("q").at(i).get<double>()),
                 expected.at(i),
                 fmt::format("q[{}]", i),
                 tally);
  }
}

void check_paired(const Json& json, Tally& tally) {
  Values with_image = json.at("with_image").get<Values>();
  Values blind = json.at("blind").get<Values>();
  tally.start("paired");
  tally.expect(with_image.size() == blind.size(), "as many answers with the image as without");
  stats::Moments moments;
  Values differences;
  uint64_t only_first = 0;
  uint64_t only_second = 0;
  for (size_t i = 0; i < std::min(with_image.size(), blind.size()); ++i) {
    differences.push_back(with_image[i] - blind[i]);
    moments.add(differences.back());
    only_first += with_image[i] > blind[i];
    only_second += with_image[i] < blind[i];
  }
  check_number(moments.mean(), json.at("mean_diff"), "mean_diff", tally);
  tally.start("paired bootstrap");
  const Json& bootstrap = json.at("bootstrap");
  check_interval(bootstrap_mean(differences, options_of(bootstrap)), bootstrap.at("ci95"), tally);
  tally.start("paired mcnemar");
  const Json& mcnemar = json.at("mcnemar");
  tally.expect(only_first == mcnemar.at("b").get<uint64_t>(), "b");
  tally.expect(only_second == mcnemar.at("c").get<uint64_t>(), "c");
  check_mcnemar(mcnemar, tally);
}

}  // namespace

void check_bias_stats(const Context& context, Tally& tally) {
  const Json json = context.json();
  for (const auto& [key, part] : json.items()) {
    if (key == "wilson95") {
      for (const Json& one : part) {
        uint64_t k = one.at("k").get<uint64_t>();
        uint64_t n = one.at("n").get<uint64_t>();
        tally.start(fmt::format("wilson95 {} of {}", k, n));
        check_interval(stats::wilson(k, n, kConfidence), one.at("ci"), tally);
      }
    } else if (key == "mcnemar") {
      for (const Json& one : part) {
        tally.start(fmt::format("mcnemar {} {}", one.at("b").dump(), one.at("c").dump()));
        check_mcnemar(one, tally);
      }
    } else if (key == "quantile_type7") {
      check_quantiles(part, tally);
    } else if (key == "bootstrap_mean") {
      for (size_t i = 0; i < part.size(); ++i) {
        tally.start(fmt::format("bootstrap_mean {}", i));
        const Json& one = part.at(i);
        check_interval(
            bootstrap_mean(one.at("x").get<Values>(), options_of(one)), one.at("ci95"), tally);
      }
    } else if (key == "paired") {
      check_paired(part, tally);
    } else {
      tally.start(key);
      tally.expect(false, "this part is not known");
    }
  }
}

}  // namespace snellen::golden
