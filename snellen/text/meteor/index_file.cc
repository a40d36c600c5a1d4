// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/meteor/index_file.h"

#include <array>
#include <bit>
#include <cstring>

namespace snellen::text::meteor {
namespace {

constexpr std::array<char, 8> kMagic = {'S', 'N', 'L', 'N', 'I', 'D', 'X', '\n'};
constexpr uint32_t kEndianMark = 0x01020304;
constexpr size_t kMaxSections = 16;
constexpr size_t kAlignment = 64;

struct Section {
  uint64_t offset = 0;
  uint64_t size = 0;
};

struct Header {
  std::array<char, 8> magic = kMagic;
  uint32_t endian_mark = kEndianMark;
  uint32_t kind = 0;
  uint32_t version = 0;
  uint32_t num_sections = 0;
  uint64_t file_size = 0;
  uint64_t body_checksum = 0;
  std::array<char, 64> source_sha256{};
  std::array<Section, kMaxSections> sections{};
  uint64_t header_checksum = 0;  // of all bytes before it
};
static_assert(sizeof(Header) % 8 == 0 && std::is_trivially_copyable_v<Header>);
static_assert(std::endian::native == std::endian::little,
              "the index is written in the machine's own order");

constexpr size_t kBodyBegin = (sizeof(Header) + kAlignment - 1) / kAlignment * kAlignment;

uint64_t checksum_of(const Header& header) {
  return fast_checksum({reinterpret_cast<const char*>(&header), offsetof(Header, header_checksum)});
}

Error refusal(std::string what) {
  return Error{ErrorCode::kInvalidInput, std::move(what)};
}

}  // namespace

uint64_t fast_checksum(std::string_view bytes) {
  constexpr uint64_t kPrime = 0x9E3779B97F4A7C15;
  std::array<uint64_t, 4> lanes = {1, 2, 3, 4};
  size_t at = 0;
  for (; at + 32 <= bytes.size(); at += 32) {
    for (size_t lane = 0; lane < 4; ++lane) {
      uint64_t word = 0;
      std::memcpy(&word, bytes.data() + at + lane * 8, 8);
      lanes[lane] = std::rotl((lanes[lane] ^ word) * kPrime, 29);
    }
  }
  uint64_t sum = bytes.size();
  for (; at < bytes.size(); ++at)
    sum = std::rotl((sum ^ static_cast<uint8_t>(bytes[at])) * kPrime, 29);
  for (uint64_t lane : lanes) sum = std::rotl((sum ^ lane) * kPrime, 29);
  return sum;
}

IndexWriter::IndexWriter(IndexFormat format, std::string_view source_sha256)
    : image_(kBodyBegin, '\0') {
  Header header;
  header.kind = format.kind;
  header.version = format.version;
  source_sha256.copy(header.source_sha256.data(), header.source_sha256.size());
  std::memcpy(image_.data(), &header, sizeof header);
}

void IndexWriter::add_bytes(std::string_view bytes) {
  SNELLEN_CHECK(num_sections_ < kMaxSections);
  Section section{image_.size(), bytes.size()};
  std::memcpy(image_.data() + offsetof(Header, sections) + num_sections_ * sizeof section,
              &section,
              sizeof section);
  ++num_sections_;
  image_.append(bytes);
  image_.resize((image_.size() + kAlignment - 1) / kAlignment * kAlignment, '\0');
}

std::string IndexWriter::finish() && {
  Header header;
  std::memcpy(&header, image_.data(), sizeof header);
  header.num_sections = num_sections_;
  header.file_size = image_.size();
  header.body_checksum = fast_checksum(std::string_view(image_).substr(kBodyBegin));
  header.header_checksum = checksum_of(header);
  std::memcpy(image_.data(), &header, sizeof header);
  return std::move(image_);
}

Result<IndexFile> IndexFile::parse(std::string_view image, IndexFormat format, Check check) {
  Header header;
  if (image.size() < kBodyBegin) return refusal("is too short for an index");
  std::memcpy(&header, image.data(), sizeof header);
  if (header.magic != kMagic || header.endian_mark != kEndianMark)
    return refusal("is not an index of ours");
  if (header.kind != format.kind || header.version != format.version)
    return refusal("is of another version");
  if (header.header_checksum != checksum_of(header)) return refusal("has a damaged header");
  if (header.file_size != image.size() || header.num_sections > kMaxSections)
    return refusal("is cut short");
  if (check == Check::kEverything &&
      header.body_checksum != fast_checksum(image.substr(kBodyBegin))) {
    return refusal("has a damaged body");
  }
  IndexFile index;
  index.source_sha256_.assign(header.source_sha256.data(), header.source_sha256.size());
  for (size_t i = 0; i < header.num_sections; ++i) {
    const Section& section = header.sections[i];
    if (section.offset % kAlignment != 0 || section.offset > image.size() ||
        section.size > image.size() - section.offset) {
      return refusal("names a section outside itself");
    }
    index.sections_.push_back(image.substr(section.offset, section.size));
  }
  return index;
}

Result<IndexFile> IndexFile::open(MappedFile file, IndexFormat format, Check check) {
  auto kept = std::make_shared<const MappedFile>(std::move(file));
  Result<IndexFile> index = parse(kept->bytes(), format, check);
  if (!index) return index.error().within(kept->path().string());
  IndexFile opened = *std::move(index);
  opened.file_ = std::move(kept);
  return opened;
}

Result<IndexFile> IndexFile::open(std::string image, IndexFormat format) {
  auto kept = std::make_shared<const std::string>(std::move(image));
  Result<IndexFile> index = parse(*kept, format, Check::kHeader);
  if (!index) return index;
  IndexFile opened = *std::move(index);
  opened.image_ = std::move(kept);
  return opened;
}

}  // namespace snellen::text::meteor
