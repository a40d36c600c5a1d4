// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "snellen/dist/backoff.h"
#include "snellen/dist/link.h"
#include "snellen/dist/messages.h"

namespace snellen::dist {

// What rank 0 has done by others.
struct SharedWork {
  // Items that belong together, each list ascending: what is handed out at least.
  std::vector<Items> chunks;
  // Says how a rank's traits differ from rank 0's own; empty when they do not.
  std::function<std::string(const std::string& traits)> difference;
  // Records samples, in the order in which they arrive. Its time is what holds ranks back.
  std::function<void(std::vector<store::Sample>&&)> take;
  std::function<void()> on_idle = {};     // called while nothing arrives
  std::function<bool()> is_stopped = {};  // a signal came
  // A rank that has work and says nothing for this long is taken for dead. Ranks say something
  // every few seconds, however slow their model is.
  double most_silence_s = 120;
};

struct MessageCounts {
  uint64_t messages_in = 0;
  uint64_t bytes_in = 0;
  uint64_t messages_out = 0;
  uint64_t bytes_out = 0;
  double seconds = 0;       // of the whole work
  double seconds_busy = 0;  // of them, not waiting: near `seconds`, rank 0 is what limits the run
};

// Rank 0's side: hands chunks to whoever has nothing to do, a few at a time at first and then as
// many as a rank works off in a second or two, and fewer towards the end, so that no rank waits
// long for another. Does not decide what a sample says: any order of arrival comes to the same
// samples.
class Coordinator {
 public:
  // `link` must outlive it.
  explicit Coordinator(Link& link);
  // Sends every rank home, where run() has not.
  ~Coordinator();
  Coordinator(const Coordinator&) = delete;
  Coordinator& operator=(const Coordinator&) = delete;

  // Once; sends every rank home at its end. True when all samples were taken, false when stopped.
  // Throws kMismatch, naming the rank and both sides, for a rank that must not take part; what a
  // rank failed with, naming it; and kIo for one that is not heard of any more.
  bool run(SharedWork work);

  const MessageCounts& message_counts() const { return counts_; }
  // What a rank said of its work when all was done; empty when it did not.
  const Notes& notes(int rank) const { return ranks_.at(static_cast<size_t>(rank)).notes; }

 private:
  using Clock = std::chrono::steady_clock;

  struct Rank {
    HostProcess where;
    size_t chunks_per_grant = 1;
    uint64_t num_open = 0;  // items it was given and has not sent back
    Clock::time_point heard;
    bool is_asked = false;  // what it did
    Notes notes;
  };

  // False when a rank was told to stop by somebody else.
  bool handle(const Message& message);
  // The next message; none after a short sleep, in which what was taken may be committed.
  std::optional<Message> wait_for_message(Backoff& backoff);
  // Handles messages until all samples were taken; false when stopped.
  bool serve();
  void welcome(int rank, const Hello& hello);
  void take(int rank, SamplesMessage&& message);
  void grant(int rank);
  void send(int rank, std::string message);
  // Asks the ranks that took part what they did, and waits a little for their answers.
  void ask_for_notes();
  void dismiss();
  void check_silence() const;
  std::string shown(int rank) const;
  Rank& at(int rank) { return ranks_.at(static_cast<size_t>(rank)); }

  Link& link_;
  SharedWork work_;
  std::vector<Rank> ranks_;
  size_t next_chunk_ = 0;
  uint64_t num_left_ = 0;  // items without a sample
  bool is_dismissed_ = false;
  MessageCounts counts_;
};

}  // namespace snellen::dist
