// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/rows/answer_store.h"

#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "snellen/base/error.h"

namespace snellen::inference {
namespace {

// What comes before the texts.
struct Head {
  uint64_t num_reason_bytes = 0;
  uint64_t is_refused = 0;
};

ContentKey key_of(uint32_t question) {
  return {.low = question, .high = 0};
}

}  // namespace

AnswerStore::AnswerStore(std::filesystem::path folder)
    : replies_(std::move(folder), /*max_bytes=*/UINT64_MAX) {}

void AnswerStore::add(uint32_t question, const models::WorkerReply& reply) {
  const questions::AnswerFacts& facts = reply.facts;
  const Head head{facts.finish_reason.size(), facts.is_refused};
  std::string bytes(reinterpret_cast<const char*>(&head), sizeof head);
  (bytes += facts.finish_reason) += reply.text;
  replies_.add(key_of(question), std::as_bytes(std::span(bytes)));
}

models::WorkerReply AnswerStore::find(uint32_t question) const {
  std::vector<std::byte> bytes;
  if (!replies_.find(key_of(question), bytes) || bytes.size() < sizeof(Head))
    throw Error{ErrorCode::kIo,
                "an answer could not be kept until it was recorded",
                "",
                "free some room on the disk of --output and run again: answers are in the cache"};
  Head head;
  std::memcpy(&head, bytes.data(), sizeof head);
  const std::string_view texts(reinterpret_cast<const char*>(bytes.data()) + sizeof head,
                               bytes.size() - sizeof head);
  return {.text = std::string(texts.substr(head.num_reason_bytes)),
          .facts = {.finish_reason = std::string(texts.substr(0, head.num_reason_bytes)),
                    .is_refused = head.is_refused != 0}};
}

}  // namespace snellen::inference
