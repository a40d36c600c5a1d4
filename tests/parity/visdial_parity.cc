// SPDX-License-Identifier: Apache-2.0
// visdial_parity FILE: FILE holds {"fits": [{"views": [{"rows", "index"}], "k", "method"}],
// "rounds": [{"correlations", "given"}], "ranked": [{"scores", "relevance"}]}, and for
// tools/parity/word_vectors.py a "fasttext" model with its "words". Prints what our rules make of
// them, for tools/parity/visdial.py.
#include <iostream>

#include <nlohmann/json.hpp>

#include "snellen/base/files.h"
#include "snellen/builders/densevisdial/reference_set.h"
#include "snellen/cca/fit.h"
#include "snellen/cca/view_rows.h"
#include "snellen/metrics/visdial/ranking.h"
#include "snellen/text/vectors/fasttext.h"

namespace {

using Json = nlohmann::json;
using snellen::cca::Rows;
namespace sets = snellen::builders::densevisdial;

Rows rows_of(const Json& json) {
  const auto all = json.get<std::vector<std::vector<double>>>();
  Rows rows(static_cast<int64_t>(all.size()), static_cast<int64_t>(all.at(0).size()));
  for (size_t i = 0; i < all.size(); ++i)
    for (size_t j = 0; j < all[i].size(); ++j)
      rows(static_cast<int64_t>(i), static_cast<int64_t>(j)) = all[i][j];
  return rows;
}

// The distinct rows come in another order than the training rows, as they do for texts. Cosines are
// those of the first and the last view.
Json fit(const Json& asked) {
  std::vector<Rows> distinct;
  std::vector<std::vector<uint32_t>> indices;
  for (const Json& view : asked["views"]) {
    distinct.push_back(rows_of(view["rows"]));
    indices.push_back(view["index"].get<std::vector<uint32_t>>());
  }
  std::vector<snellen::cca::ViewRows> views;
  std::vector<int64_t> widths;
  for (size_t i = 0; i < distinct.size(); ++i) {
    const Rows& rows = distinct[i];
    views.push_back({{rows.data(), rows.rows(), rows.cols()}, indices[i]});
    widths.push_back(rows.cols());
  }
  const auto found = snellen::cca::fit(
      snellen::cca::covariance_of(views, 2),
      widths,
      {.num_dimensions = asked["k"].get<int64_t>(),
       .method = asked["method"] == "mardia" ? snellen::cca::Method::kMardia
                                             : snellen::cca::Method::kGeneralised});
  const size_t last = views.size() - 1;
  const Rows a = found.project(0, distinct[0], 1.0);
  const Rows q = found.project(last, distinct[last], 1.0);
  Json cosines = Json::array();
  for (size_t i = 0; i < indices[0].size(); ++i)
    cosines.push_back(snellen::cca::cosine(a.row(indices[0][i]), q.row(indices[last][i])));
  return {{"eigenvalues", std::vector<double>(found.eigenvalues.begin(), found.eigenvalues.end())},
          {"cosines", cosines}};
}

Json vectors_of(const std::string& model, const std::vector<std::string>& words) {
  const snellen::text::FastText vectors(model);
  Json rows = Json::array();
  for (const std::string& word : words) {
    std::vector<double> row(vectors.dim());
    vectors.read(word, row);
    rows.push_back(row);
  }
  return rows;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const Json asked = Json::parse(snellen::read_text_file(argv[1], size_t{1} << 30U));
  Json out = {{"fits", Json::array()}, {"rounds", Json::array()}, {"ndcg", Json::array()}};
  for (const Json& one : asked["fits"]) out["fits"].push_back(fit(one));
  for (const Json& one : asked["rounds"]) {
    const auto correlations = one["correlations"].get<std::vector<double>>();
    Json members;
    for (const char* letter : {"S", "M", "G"})
      members[letter] =
          sets::members_of(sets::rule_of(letter), correlations, one["given"].get<size_t>());
    out["rounds"].push_back(members);
  }
  for (const Json& one : asked["ranked"]) {
    const auto gain = snellen::metrics::visdial::ndcg(
        snellen::metrics::visdial::ranks_of(one["scores"].get<std::vector<double>>()),
        one["relevance"].get<std::vector<double>>());
    out["ndcg"].push_back(gain ? Json(*gain) : Json());
  }
  if (asked.contains("fasttext")) out["vectors"] = vectors_of(asked["fasttext"], asked["words"]);
  std::cout << out << "\n";
}
