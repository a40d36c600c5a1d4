// SPDX-License-Identifier: Apache-2.0
// Numbers and texts as bytes, the same on every machine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace snellen::dist {

class WireWriter {
 public:
  // 7 bits a byte, lowest first: small numbers are short.
  void number(uint64_t value);
  // Its eight bytes, lowest first: NaNs and signed zeros stay what they are.
  void real(double value);
  void text(std::string_view value);

  size_t size() const { return bytes_.size(); }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Throws kInvalidInput for bytes that end early or say what cannot be.
class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : rest_(bytes) {}

  uint64_t number();
  // A number of at most `most`; for counts, so that nothing is made room for that cannot come.
  uint64_t number(uint64_t most);
  double real();
  std::string_view text();

  size_t num_left() const { return rest_.size(); }
  // Throws unless everything was read.
  void finish() const;

 private:
  std::string_view rest_;
};

}  // namespace snellen::dist
