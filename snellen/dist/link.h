// SPDX-License-Identifier: Apache-2.0
// How the ranks of a run talk: whole messages, in order between any two of them. Behind it is MPI,
// or the memory of one process.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace snellen::dist {

// Larger messages are refused where they are sent and where they arrive.
inline constexpr size_t kMostMessageBytes = size_t{64} << 20;
// Messages of one rank to another that may be under way; the next one waits at its sender, so that
// a slow receiver never holds more than a few of each.
inline constexpr size_t kMostUnderWay = 4;

struct Message {
  int from = 0;
  std::string bytes;
};

// One end; one thread at a time.
class Link {
 public:
  virtual ~Link() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  // Begins to send and takes the message; false, leaving it, when too many are still under way.
  virtual bool try_send(int to, std::string& message) = 0;
  // The next message that arrived, if any. Never waits for one.
  virtual std::optional<Message> poll() = 0;
};

}  // namespace snellen::dist
