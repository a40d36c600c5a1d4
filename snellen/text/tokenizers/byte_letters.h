// SPDX-License-Identifier: Apache-2.0
// The printable character that byte-level BPE writes for each byte (GPT-2's table): itself for
// 33-126, 161-172 and 174-255, U+0100 and up for the others in order.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace snellen::text {

std::array<char32_t, 256> letters_of_bytes();
// Bytes in the order of the published vocabularies: the printable ones first.
std::array<uint8_t, 256> bytes_in_vocabulary_order();
// Bytes written as letters.
std::string as_letters(std::string_view bytes);
// The bytes that such letters stand for; nothing when one is no letter of the table.
std::optional<std::string> as_bytes(std::string_view letters);

}  // namespace snellen::text
