// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/text/meteor/set_scorer.h"

namespace snellen::metrics::meteor {

class SetScorer::BorrowedScratch {
 public:
  explicit BorrowedScratch(const SetScorer& owner) : owner_(owner) {
    std::lock_guard lock(owner_.mutex_);
    if (owner_.idle_.empty()) return;
    scratch_ = std::move(owner_.idle_.back());
    owner_.idle_.pop_back();
  }
  ~BorrowedScratch() {
    if (scratch_ == nullptr) return;
    std::lock_guard lock(owner_.mutex_);
    owner_.idle_.push_back(std::move(scratch_));
  }
  BorrowedScratch(const BorrowedScratch&) = delete;
  BorrowedScratch& operator=(const BorrowedScratch&) = delete;

  // Made outside the lock when none was idle.
  Scratch& scratch() {
    if (scratch_ == nullptr) scratch_ = std::make_unique<Scratch>(owner_.meteor_);
    return *scratch_;
  }

 private:
  const SetScorer& owner_;
  std::unique_ptr<Scratch> scratch_;
};

SetScorer::SetScorer(std::shared_ptr<const text::meteor::MeteorData> data,
                     const text::StringSets& sets,
                     bool is_compat,
                     Parameters parameters)
    : meteor_(std::move(data), parameters), sets_(sets), is_compat_(is_compat) {}

double SetScorer::score(std::string_view generation, size_t set) const {
  std::vector<std::string> references;
  for (uint32_t id : sets_.ids(set)) {
    std::string_view text = sets_.pool()[id];
    if (!is_compat_) {
      references.push_back(meteor_reference(text));
      continue;
    }
    for (std::string& piece : meteor_references_compat(text))
      references.push_back(std::move(piece));
  }
  BorrowedScratch borrowed(*this);
  return meteor_.score(meteor_hypothesis(generation), references, borrowed.scratch()).score.score;
}

}  // namespace snellen::metrics::meteor
