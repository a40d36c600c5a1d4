// SPDX-License-Identifier: Apache-2.0
#include "snellen/dist/memory_link.h"

#include <deque>
#include <mutex>
#include <vector>

#include "snellen/base/error.h"

namespace snellen::dist {

struct InMemoryRanks::Inboxes {
  struct Inbox {
    std::mutex mutex;  // guards the rest
    std::deque<Message> messages;
    std::vector<size_t> waiting_from;  // how many of them are of each rank
  };
  explicit Inboxes(int size) : all(static_cast<size_t>(size)) {
    for (Inbox& inbox : all) inbox.waiting_from.resize(all.size());
  }
  Inbox& of(int rank) { return all.at(static_cast<size_t>(rank)); }

  std::vector<Inbox> all;
};

class InMemoryRanks::End : public Link {
 public:
  End(std::shared_ptr<Inboxes> inboxes, int rank) : inboxes_(std::move(inboxes)), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(inboxes_->all.size()); }

  bool try_send(int to, std::string& message) override {
    SNELLEN_CHECK(message.size() <= kMostMessageBytes);
    Inboxes::Inbox& inbox = inboxes_->of(to);
    std::lock_guard lock(inbox.mutex);
    size_t& waiting = inbox.waiting_from[static_cast<size_t>(rank_)];
    if (waiting >= kMostUnderWay) return false;
    ++waiting;
    inbox.messages.push_back({rank_, std::move(message)});
    return true;
  }

  std::optional<Message> poll() override {
    Inboxes::Inbox& inbox = inboxes_->of(rank_);
    std::lock_guard lock(inbox.mutex);
    if (inbox.messages.empty()) return std::nullopt;
    Message message = std::move(inbox.messages.front());
    inbox.messages.pop_front();
    --inbox.waiting_from[static_cast<size_t>(message.from)];
    return message;
  }

 private:
  std::shared_ptr<Inboxes> inboxes_;
  int rank_;
};

InMemoryRanks::InMemoryRanks(int size) : inboxes_(std::make_shared<Inboxes>(size)) {}

std::unique_ptr<Link> InMemoryRanks::join(int rank) {
  return std::make_unique<End>(inboxes_, rank);
}

bool JoinedLink::try_send(int to, std::string& message) {
  return to == 0 ? own_.try_send(1, message) : others_.try_send(to, message);
}

std::optional<Message> JoinedLink::poll() {
  if (std::optional<Message> message = own_.poll()) return Message{0, std::move(message->bytes)};
  return others_.poll();
}

}  // namespace snellen::dist
