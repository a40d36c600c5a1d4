// SPDX-License-Identifier: Apache-2.0
// What is written reads back as it was.
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "snellen/base/python_json.h"
#include "snellen/base/rng.h"
#include "snellen/dist/messages.h"
#include "snellen/dist/wire.h"
#include "snellen/formats/npy.h"
#include "snellen/media/masks/rle.h"
#include "snellen/models/checkpoint/safetensors.h"
#include "snellen/models/checkpoint/safetensors_writer.h"

namespace snellen {
namespace {

constexpr uint64_t kCases = 300;

// Any bits at all but those of a NaN.
double draw_double(Rng& rng) {
  for (;;) {
    const auto number = std::bit_cast<double>(rng.next());
    if (!std::isnan(number)) return number;
  }
}

// Characters of one to four bytes of UTF-8, control characters and quotes among them.
std::string draw_text(Rng& rng) {
  static constexpr const char* kPieces[] = {
      "a", "Z", "\"", "\\", "/", "\n", "\t", "\x01", "\x7f", "\u00e9", "\u20ac", "\U0001f600", " "};
  std::string text;
  for (uint64_t left = rng.below(20); left > 0; --left)
    text += kPieces[rng.below(std::size(kPieces))];
  return text;
}

struct TemporaryFile {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("snellen-round-trip-{}", ::getpid());
  ~TemporaryFile() { std::filesystem::remove(path); }
};

TEST(RoundTrip, JsonStringsInBothSpellings) {
  for (uint64_t id = 0; id < kCases; ++id) {
    Rng rng = Rng(0).fork("json-strings").fork(id);
    const std::string text = draw_text(rng);
    EXPECT_EQ(nlohmann::json::parse(python_string(text)).get<std::string>(), text);
    EXPECT_EQ(nlohmann::json::parse(json_string(text)).get<std::string>(), text);
  }
}

TEST(RoundTrip, JsonNumbersKeepEveryBit) {
  for (uint64_t id = 0; id < kCases; ++id) {
    Rng rng = Rng(0).fork("json-numbers").fork(id);
    const double number = draw_double(rng);
    const std::string text = python_float(number, NonFinite::kToken);
    if (std::isinf(number)) {
      EXPECT_EQ(text, number > 0 ? "Infinity" : "-Infinity");
    } else {
      EXPECT_EQ(std::bit_cast<uint64_t>(std::strtod(text.c_str(), nullptr)),
                std::bit_cast<uint64_t>(number))
          << text;
    }
  }
}

TEST(RoundTrip, WireKeepsNumbersRealsAndTexts) {
  for (uint64_t id = 0; id < kCases; ++id) {
    Rng rng = Rng(0).fork("wire").fork(id);
    const uint64_t number = rng.next() >> rng.below(64);
    const auto real = std::bit_cast<double>(rng.next());
    const std::string text = draw_text(rng);
    dist::WireWriter writer;
    writer.number(number);
    writer.real(real);
    writer.text(text);
    const std::string bytes = writer.take();
    dist::WireReader reader(bytes);
    EXPECT_EQ(reader.number(), number);
    EXPECT_EQ(std::bit_cast<uint64_t>(reader.real()), std::bit_cast<uint64_t>(real));
    EXPECT_EQ(reader.text(), text);
    reader.finish();
    EXPECT_EQ(reader.num_left(), 0U);
  }
}

TEST(RoundTrip, GrantsAndNotesOfRanks) {
  for (uint64_t id = 0; id < kCases; ++id) {
    Rng rng = Rng(0).fork("messages").fork(id);
    dist::Items items;
    for (uint64_t i = rng.below(50), item = 0; i > 0; --i)
      items.push_back(item += 1 + rng.below(1 << 20));
    EXPECT_EQ(dist::decode_grant(dist::encode_grant(items)), items);
    dist::Notes notes;
    for (uint64_t i = rng.below(5); i > 0; --i) notes.push_back(draw_text(rng));
    EXPECT_EQ(dist::decode_notes(dist::encode_notes(notes)), notes);
    dist::Hello hello;
    hello.where = {draw_text(rng), rng.next()};
    hello.traits = draw_text(rng);
    const dist::Hello heard = dist::decode_hello(dist::encode(hello));
    EXPECT_EQ(heard.where.host, hello.where.host);
    EXPECT_EQ(heard.where.process, hello.where.process);
    EXPECT_EQ(heard.traits, hello.traits);
  }
}

TEST(RoundTrip, RunLengthsOfMasks) {
  for (uint64_t id = 0; id < kCases; ++id) {
    Rng rng = Rng(0).fork("rle").fork(id);
    const int height = int(1 + rng.below(40)), width = int(1 + rng.below(40));
    std::vector<uint64_t> counts;
    uint64_t left = uint64_t(height) * uint64_t(width);
    if (rng.below(2) == 0) counts.push_back(0);  // the first pixel is marked
    while (left > 0) {
      counts.push_back(1 + rng.below(left));
      left -= counts.back();
    }
    const Result<media::Rle> rle = media::rle_of_counts(counts, height, width);
    ASSERT_TRUE(rle);
    const Result<media::Rle> again = media::rle_of_string(media::string_of(*rle), height, width);
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, *rle);
  }
}

TEST(RoundTrip, TensorsOfSafetensorsFiles) {
  using models::ElementType;
  const TemporaryFile file;
  for (uint64_t id = 0; id < 40; ++id) {
    Rng rng = Rng(0).fork("safetensors").fork(id);
    std::vector<models::PlannedTensor> plan;
    for (uint64_t i = rng.below(6) + 1; i > 0; --i) {
      static constexpr ElementType kTypes[] = {
          ElementType::kF32, ElementType::kF16, ElementType::kI64, ElementType::kU8};
      models::PlannedTensor tensor;
      tensor.name = fmt::format("{}.{}", draw_text(rng), i);
      tensor.type = kTypes[rng.below(std::size(kTypes))];
      for (uint64_t rank = rng.below(4); rank > 0; --rank)
        tensor.shape.push_back(int64_t(rng.below(5)));
      plan.push_back(tensor);
    }
    models::SafetensorsWriter writer(file.path, plan);
    std::map<std::string, std::pair<models::PlannedTensor, std::string>> written;
    for (const models::PlannedTensor& tensor : writer.tensors()) {
      std::string bytes(size_t(*models::checked_num_elements(tensor.shape)) *
                            models::bytes_per_element(tensor.type),
                        '\0');
      for (char& byte : bytes) byte = char(rng.below(256));
      writer.write(bytes);
      written[tensor.name] = {tensor, bytes};
    }
    writer.commit();
    const std::string text = read_text_file(file.path, 1 << 24);
    const std::vector<models::NamedTensor> read = models::read_safetensors(text, "round trip");
    ASSERT_EQ(read.size(), written.size());
    for (const auto& [name, tensor] : read) {
      const auto& [planned, bytes] = written.at(name);
      EXPECT_EQ(tensor.type, planned.type);
      EXPECT_EQ(tensor.shape, planned.shape);
      EXPECT_EQ(tensor.bytes, bytes);
    }
  }
}

TEST(RoundTrip, RowsOfNumPyFiles) {
  const TemporaryFile file;
  for (uint64_t id = 0; id < 40; ++id) {
    Rng rng = Rng(0).fork("npy").fork(id);
    std::vector<double> row(1 + rng.below(50));
    for (double& number : row) number = draw_double(rng);
    std::string header =
        fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({},), }}", row.size());
    header.resize((header.size() + 10 + 64) / 64 * 64 - 11, ' ');
    header += '\n';
    std::ofstream out(file.path, std::ios::binary);
    out << "\x93NUMPY" << '\x01' << '\0' << char(header.size() & 255) << char(header.size() >> 8)
        << header;
    out.write(reinterpret_cast<const char*>(row.data()),
              std::streamsize(row.size() * sizeof(double)));
    out.close();
    EXPECT_EQ(formats::read_npy(file.path), row);
  }
}

}  // namespace
}  // namespace snellen
