// SPDX-License-Identifier: Apache-2.0
// What one rank may read from another: every kind of message, whole or broken.
#include <cstdint>
#include <string_view>

#include "snellen/dist/messages.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using snellen::dist::MessageKind;
  std::string_view message(reinterpret_cast<const char*>(data), size);
  try {
    switch (snellen::dist::kind_of(message)) {
      case MessageKind::kHello:
        (void)snellen::dist::decode_hello(message);
        break;
      case MessageKind::kGrant:
        (void)snellen::dist::decode_grant(message);
        break;
      case MessageKind::kSamples:
        (void)snellen::dist::decode_samples(message);
        break;
      case MessageKind::kFailed:
        (void)snellen::dist::decode_failure(message);
        break;
      case MessageKind::kNotes:
        (void)snellen::dist::decode_notes(message);
        break;
      case MessageKind::kAlive:
      case MessageKind::kDone:
      case MessageKind::kStop:
        break;
    }
  } catch (const snellen::Error&) {
    // A broken message is refused.
    return 0;
  }
  return 0;
}
