// SPDX-License-Identifier: Apache-2.0
// What ranks tell each other. A rank says hello, is given items, sends their samples back, is given
// more, is asked what it did when nothing is left, and is told to stop.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/dist/wire.h"
#include "snellen/store/samples.h"

namespace snellen::dist {

enum class MessageKind : uint8_t {
  kHello = 1,  // to rank 0: Hello
  kGrant,      // from rank 0: Grant
  kSamples,    // to rank 0: SamplesEnd after the samples
  kFailed,     // to rank 0: Failure
  kAlive,      // to rank 0, when there was nothing to say for a while
  kDone,       // from rank 0: everything is scored, say what you did
  kNotes,      // to rank 0: the answer
  kStop,       // from rank 0: go home
};

// Throws kInvalidInput when there is none.
MessageKind kind_of(std::string_view message);
std::string bare_message(MessageKind kind);

// Where a rank runs, for people.
struct HostProcess {
  std::string host;
  uint64_t process = 0;
};
HostProcess this_host_process();

struct Hello {
  HostProcess where;
  std::string traits;  // what must be the same in all ranks; rank 0 compares it with its own
};
std::string encode(const Hello& hello);
Hello decode_hello(std::string_view message);

// Numbers of items of the plan, ascending.
using Items = std::vector<uint64_t>;
std::string encode_grant(const Items& items);
Items decode_grant(std::string_view message);

struct Failure {
  HostProcess where;
  Error error;
};
std::string encode(const Failure& failure);
Failure decode_failure(std::string_view message);

// What a user should know about a rank's work, one sentence each; those beyond kMostNotes are not
// sent.
inline constexpr size_t kMostNotes = 100;
using Notes = std::vector<std::string>;
std::string encode_notes(const Notes& notes);
Notes decode_notes(std::string_view message);

// Samples on their way to rank 0, as many as fit into a message of a bounded size.
class SamplesWriter {
 public:
  SamplesWriter();
  void add(const store::Sample& sample);
  size_t num_samples() const { return num_samples_; }
  size_t num_bytes() const { return writer_.size(); }
  // The message; the writer is as new afterwards. `grant_micros` is the time all items of a grant
  // took, with the last message of it; 0 with those before.
  std::string finish(uint64_t grant_micros);

 private:
  WireWriter writer_;
  size_t num_samples_ = 0;
};

struct SamplesMessage {
  std::vector<store::Sample> samples;
  uint64_t grant_micros = 0;  // 0: more will come
};
SamplesMessage decode_samples(std::string_view message);

}  // namespace snellen::dist
