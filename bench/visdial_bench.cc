// SPDX-License-Identifier: Apache-2.0
// visdial_bench fit|rank|generate|sets DIR THREADS [K]: the CCA baseline at the size of VisDial,
// from the matrices that tools/bench/visdial.py writes into DIR: questions.npy and answers.npy
// (distinct texts, float64) and raw 32-bit indices train_questions, train_answers, val_questions,
// val_given and val_candidates (100 per round). Prints {"seconds", "rounds", "check"}.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <iostream>

#include <nlohmann/json.hpp>

#include "snellen/base/files.h"
#include "snellen/base/ordered_pipeline.h"
#include "snellen/builders/densevisdial/reference_set.h"
#include "snellen/cca/answer_index.h"
#include "snellen/cca/dialog_rows.h"
#include "snellen/cca/view_rows.h"
#include "snellen/metrics/visdial/ranking.h"

namespace {

using namespace snellen;  // NOLINT(google-build-using-namespace): a program of one file
using cca::Rows;

// A float64 matrix of NumPy, mapped.
struct Matrix {
  explicit Matrix(const std::filesystem::path& path) : file(path) {
    const std::string_view bytes = file.bytes();
    const size_t start =
        10 + static_cast<unsigned char>(bytes[8]) + 256U * static_cast<unsigned char>(bytes[9]);
    const std::string header(bytes.substr(10, start - 10));
    long long parsed[2] = {0, 0};
    std::sscanf(header.c_str() + header.find("'shape': (") + 10, "%lld, %lld", parsed, parsed + 1);
    rows = parsed[0];
    columns = parsed[1];
    data = reinterpret_cast<const double*>(bytes.data() + start);
  }
  Eigen::Map<const Rows> map() const { return {data, rows, columns}; }

  MappedFile file;
  int64_t rows = 0;
  int64_t columns = 0;
  const double* data = nullptr;
};

std::vector<uint32_t> numbers(const std::filesystem::path& path) {
  const MappedFile file(path);
  std::vector<uint32_t> all(file.bytes().size() / 4);
  std::memcpy(all.data(), file.bytes().data(), all.size() * 4);
  return all;
}

struct Data {
  explicit Data(const std::filesystem::path& folder)
      : questions(folder / "questions.npy"),
        answers(folder / "answers.npy"),
        train_questions(numbers(folder / "train_questions")),
        train_answers(numbers(folder / "train_answers")),
        val_questions(numbers(folder / "val_questions")),
        val_given(numbers(folder / "val_given")),
        val_candidates(numbers(folder / "val_candidates")) {}
  Matrix questions;
  Matrix answers;
  std::vector<uint32_t> train_questions, train_answers, val_questions, val_given, val_candidates;
};

cca::Projections fit(const Data& data, unsigned threads) {
  const std::vector<cca::ViewRows> views = {{data.answers.map(), data.train_answers},
                                            {data.questions.map(), data.train_questions}};
  return cca::fit(cca::covariance_of(views, threads),
                  {data.answers.columns, data.questions.columns},
                  {.num_dimensions = data.answers.columns});
}

// The distinct numbers of a list, and the place of each of its entries among them.
struct Distinct {
  explicit Distinct(const std::vector<uint32_t>& all) : values(all) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    for (uint32_t one : all)
      places.push_back(static_cast<uint32_t>(std::lower_bound(values.begin(), values.end(), one) -
                                             values.begin()));
  }
  std::vector<uint32_t> values;
  std::vector<uint32_t> places;
};

Rows units_of(const cca::Projector& projector,
              const Matrix& matrix,
              const std::vector<uint32_t>& rows,
              unsigned threads) {
  return cca::unit_projections(
      projector,
      static_cast<int64_t>(rows.size()),
      [&](int64_t first, Rows& block) {
        for (int64_t i = 0; i < block.rows(); ++i)
          block.row(i) = matrix.map().row(rows[static_cast<size_t>(first + i)]);
      },
      threads);
}

// Calls work(round) for blocks of rounds on all threads and adds what it gives.
double over_rounds(size_t num_rounds, unsigned threads, const std::function<double(size_t)>& work) {
  constexpr uint64_t kAtOnce = 64;
  double sum = 0;
  ordered_pipeline<double>((num_rounds + kAtOnce - 1) / kAtOnce,
                           threads,
                           [&](uint64_t block) {
                             double part = 0;
                             const size_t end = std::min<size_t>(num_rounds, (block + 1) * kAtOnce);
                             for (size_t i = block * kAtOnce; i < end; ++i) part += work(i);
                             return part;
                           },
                           [&](double&& part) { sum += part; },
                           [] { return false; });
  return sum;
}

double rank(const Data& data, const cca::Projections& projections, unsigned threads, bool sets) {
  const Distinct candidates(data.val_candidates);
  const Rows answers =
      units_of(cca::Projector(projections, 0, 1.0), data.answers, candidates.values, threads);
  const Distinct questions(data.val_questions);
  const Rows asked =
      units_of(cca::Projector(projections, 1, 1.0), data.questions, questions.values, threads);
  const double check = over_rounds(data.val_questions.size(), threads, [&](size_t round) {
    const uint32_t* own = candidates.places.data() + 100 * round;
    const uint32_t given = data.val_given[round];
    const auto towards = sets ? answers.row(own[given]) : asked.row(questions.places[round]);
    std::vector<double> scores;
    for (size_t i = 0; i < 100; ++i)
      scores.push_back(cca::rounded_cosine(answers.row(own[i]).dot(towards)));
    if (!sets) return static_cast<double>(metrics::visdial::ranks_of(scores)[given]);
    double members = 0;
    for (const char* letter : {"S", "M", "G"})
      for (const bool is_member : builders::densevisdial::members_of(
               builders::densevisdial::rule_of(letter), scores, given))
        members += is_member;
    return members;
  });
  return check;
}

double generate(const Data& data,
                const cca::Projections& projections,
                unsigned threads,
                size_t count) {
  const cca::AnswerIndex index(cca::Projector(projections, 1, 1.0),
                               cca::Projector(projections, 0, 1.0),
                               {.questions = data.questions.map(),
                                .question_of = data.train_questions,
                                .answer_of = data.train_answers,
                                .read_answer =
                                    [&](uint32_t answer, std::span<double> out) {
                                      const auto row = data.answers.map().row(answer);
                                      std::copy_n(row.data(), out.size(), out.begin());
                                    }},
                               threads);
  const Distinct asked(data.val_questions);
  const auto at_once = static_cast<uint64_t>(cca::Neighbours::kQueriesAtOnce);
  std::vector<uint64_t> sums;
  using Sums = std::vector<uint64_t>;
  ordered_pipeline<Sums>(
      (asked.values.size() + at_once - 1) / at_once,
      threads,
      [&](uint64_t block) {
        const size_t first = block * at_once;
        const size_t num = std::min<size_t>(at_once, asked.values.size() - first);
        Rows queries(static_cast<int64_t>(num), data.questions.columns);
        for (size_t i = 0; i < num; ++i)
          queries.row(static_cast<int64_t>(i)) = data.questions.map().row(asked.values[first + i]);
        Sums made;
        for (const auto& found : index.find(queries, count)) {
          uint64_t sum = 0;
          for (uint32_t round : found.nearest) sum += round;
          made.push_back(sum);
        }
        return made;
      },
      [&](Sums&& made) { sums.insert(sums.end(), made.begin(), made.end()); },
      [] { return false; });
  double check = 0;
  for (uint32_t place : asked.places) check += static_cast<double>(sums[place]);
  return check;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const std::string what = argv[1];
  const std::filesystem::path folder = argv[2];
  const auto threads = static_cast<unsigned>(std::stoul(argv[3]));
  const Data data(folder);
  cca::Projections projections;
  if (what != "fit") projections = fit(data, threads);
  const auto begin = std::chrono::steady_clock::now();
  double check = 0;
  if (what == "fit") check = fit(data, threads).eigenvalues.sum();
  if (what == "rank") check = rank(data, projections, threads, /*sets=*/false);
  if (what == "sets") check = rank(data, projections, threads, /*sets=*/true);
  if (what == "generate")
    check = generate(data, projections, threads, argc > 4 ? std::stoul(argv[4]) : 15);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::cout << nlohmann::json{{"seconds", seconds},
                              {"rounds", data.val_questions.size()},
                              {"check", check}}
            << "\n";
}
