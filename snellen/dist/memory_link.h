// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "snellen/dist/link.h"

namespace snellen::dist {

// Ranks that are threads of one process.
class InMemoryRanks {
 public:
  explicit InMemoryRanks(int size);
  // The end of one rank; it may outlive the world.
  std::unique_ptr<Link> join(int rank);

 private:
  struct Inboxes;
  class End;
  std::shared_ptr<Inboxes> inboxes_;
};

// Rank 0's view of all ranks when one of its own threads works too: that thread is rank 1 of a
// world of two (`own`), the rest are ranks 1 .. of `others`. Here it is rank 0.
class JoinedLink : public Link {
 public:
  // Both must outlive it.
  JoinedLink(Link& others, Link& own) : others_(others), own_(own) {}

  int rank() const override { return 0; }
  int size() const override { return others_.size(); }
  bool try_send(int to, std::string& message) override;
  std::optional<Message> poll() override;

 private:
  Link& others_;
  Link& own_;
};

}  // namespace snellen::dist
