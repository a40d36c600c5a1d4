// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/bias/gender_polarity.h"

#include <cmath>

#include "snellen/base/error.h"
#include "snellen/text/unicode_case.h"

namespace snellen::metrics {
namespace {

double cosine(std::span<const double> a, std::span<const double> b) {
  double product = 0;
  double a_squared = 0;
  double b_squared = 0;
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
    product += a[i] * b[i];
    a_squared += a[i] * a[i];
    b_squared += b[i] * b[i];
  }
  double norms = std::sqrt(a_squared) * std::sqrt(b_squared);
  return norms > 0 && std::isfinite(norms) ? product / norms : 0;
}

}  // namespace

GenderAxis::GenderAxis(const text::Word2VecFile& file) {
  read([&](const Visitor& visit) { file.for_each(visit); }, file.path().string());
}

GenderAxis::GenderAxis(const std::map<std::string, std::vector<double>>& vectors,
                       std::string_view source) {
  read(
      [&](const Visitor& visit) {
        for (const auto& [word, vector] : vectors) {
          if (!visit(word, vector)) return;
        }
      },
      source);
}

void GenderAxis::read(const std::function<void(const Visitor&)>& for_each,
                      std::string_view source) {
  std::vector<double> she;
  std::vector<double> he;
  for_each([&](std::string_view word, std::span<const double> vector) {
    if (word == "she" && she.empty()) she.assign(vector.begin(), vector.end());
    if (word == "he" && he.empty()) he.assign(vector.begin(), vector.end());
    return she.empty() || he.empty();
  });
  if (she.empty() || he.empty() || she == he || she.size() != he.size()) {
    throw Error{ErrorCode::kInvalidInput,
                "has no usable vectors for \"she\" and \"he\"",
                std::string(source),
                "give word vectors of English text"};
  }
  std::vector<double> axis(she.size());
  for (size_t i = 0; i < axis.size(); ++i) axis[i] = she[i] - he[i];
  for_each([&](std::string_view word, std::span<const double> vector) {
    if (!cosines_.contains(word)) cosines_.emplace(std::string(word), cosine(vector, axis));
    return true;
  });
}

double GenderAxis::polarity_of_word(std::string_view lower) const {
  auto found = cosines_.find(lower);
  return found == cosines_.end() ? 0 : found->second;
}

std::optional<double> GenderAxis::polarity(std::string_view text) const {
  double sum = 0;
  size_t num_tokens = 0;
  const std::string lower = text::lowered(text);
  for (size_t at = 0; at < lower.size();) {
    size_t start = at;
    size_t space = 0;
    while (at < lower.size()) {
      text::DecodedPoint point = text::code_point_at(lower, at);
      if (text::is_white_space(point.value)) {
        space = point.length;
        break;
      }
      at += point.length;
    }
    if (at > start) {
      sum += polarity_of_word(std::string_view(lower).substr(start, at - start));
      ++num_tokens;
    }
    at += space;
  }
  if (num_tokens == 0) return std::nullopt;
  return sum / static_cast<double>(num_tokens);
}

}  // namespace snellen::metrics
