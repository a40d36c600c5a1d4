// SPDX-License-Identifier: Apache-2.0
#include "snellen/dist/messages.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace snellen::dist {
namespace {

// Each sample is preceded by kMore, the last one followed by kEnd.
constexpr uint64_t kEnd = 0;
constexpr uint64_t kMore = 1;

WireWriter begin(MessageKind kind) {
  WireWriter writer;
  writer.number(static_cast<uint64_t>(kind));
  return writer;
}

WireReader open(std::string_view message, MessageKind kind) {
  WireReader reader(message);
  SNELLEN_CHECK(reader.number() == static_cast<uint64_t>(kind));
  return reader;
}

void put(WireWriter& writer, const HostProcess& where) {
  writer.text(where.host);
  writer.number(where.process);
}

HostProcess take_whereabouts(WireReader& reader) {
  HostProcess where;
  where.host = reader.text();
  where.process = reader.number();
  return where;
}

void put(WireWriter& writer, const std::vector<double>& numbers) {
  writer.number(numbers.size());
  for (double number : numbers) writer.real(number);
}

std::vector<double> take_numbers(WireReader& reader) {
  std::vector<double> numbers(reader.number(reader.num_left() / sizeof(double)));
  for (double& number : numbers) number = reader.real();
  return numbers;
}

void put(WireWriter& writer, const std::vector<std::string>& texts) {
  writer.number(texts.size());
  for (const std::string& text : texts) writer.text(text);
}

std::vector<std::string> take_texts(WireReader& reader) {
  std::vector<std::string> texts(reader.number(reader.num_left()));
  for (std::string& text : texts) text = reader.text();
  return texts;
}

// Field by field: what a user's bytes look like in JSON must not change on the way.
void put(WireWriter& writer, const Error& error) {
  writer.text(name_of(error.code()));
  writer.text(error.message());
  writer.text(error.where());
  writer.text(error.hint());
}

Error take_error(WireReader& reader) {
  ErrorCode code = error_code_of(reader.text());
  std::string what(reader.text());
  std::string where(reader.text());
  return Error{code, std::move(what), std::move(where), std::string(reader.text())};
}

void put(WireWriter& writer, const store::Detail& detail) {
  writer.text(detail.shape);
  writer.number(detail.numbers.size());
  for (const auto& number : detail.numbers) {
    const int64_t* integer = std::get_if<int64_t>(&number);
    writer.number(integer ? 1 : 0);
    integer ? writer.number(static_cast<uint64_t>(*integer))
            : writer.real(std::get<double>(number));
  }
  put(writer, detail.texts);
}

store::Detail take_detail(WireReader& reader) {
  store::Detail detail;
  detail.shape = reader.text();
  detail.numbers.resize(reader.number(reader.num_left()));
  for (auto& number : detail.numbers) {
    if (reader.number(1) == 1) {
      number = static_cast<int64_t>(reader.number());
    } else {
      number = reader.real();
    }
  }
  detail.texts = take_texts(reader);
  return detail;
}

void put(WireWriter& writer, const store::ShownVisual& visual) {
  writer.text(visual.name);
  writer.text(visual.path);
  writer.number(visual.is_looked_at ? 1 : 0);
  writer.number(!visual.read ? 0 : visual.read->key ? 2 : 1);
  if (!visual.read) return;
  writer.number(visual.read->size);
  writer.number(static_cast<uint64_t>(visual.read->mtime_ns));
  if (!visual.read->key) return;
  writer.number(visual.read->key->low);
  writer.number(visual.read->key->high);
}

store::ShownVisual take_visual(WireReader& reader) {
  store::ShownVisual visual;
  visual.name = reader.text();
  visual.path = reader.text();
  visual.is_looked_at = reader.number(1) == 1;
  const uint64_t known = reader.number(2);
  if (known == 0) return visual;
  store::ShownVisual::Read& read = visual.read.emplace(store::ShownVisual::Read{});
  read.size = reader.number();
  read.mtime_ns = static_cast<int64_t>(reader.number());
  if (known == 1) return visual;
  ContentKey& key = read.key.emplace();
  key.low = reader.number();
  key.high = reader.number();
  return visual;
}

store::Sample take_sample(WireReader& reader) {
  store::Sample sample;
  sample.task = static_cast<uint32_t>(reader.number(std::numeric_limits<uint32_t>::max()));
  sample.position = reader.number();
  sample.part = static_cast<uint32_t>(reader.number(std::numeric_limits<uint32_t>::max()));
  sample.item = reader.text();
  sample.clusters = take_texts(reader);
  sample.category = reader.text();
  sample.status = static_cast<store::SampleStatus>(
      reader.number(static_cast<uint64_t>(store::SampleStatus::kSkipped)));
  sample.scores = take_numbers(reader);
  sample.values = take_numbers(reader);
  sample.ties = reader.number();
  // 0: not said, 1: wrong, 2: right.
  uint64_t correct = reader.number(2);
  if (correct > 0) sample.is_correct = correct == 2;
  sample.margin = reader.real();
  sample.detail = take_detail(reader);
  if (reader.number(1) == 1) sample.error = take_error(reader);
  sample.micros = reader.number();
  sample.visuals.resize(reader.number(reader.num_left()));
  for (store::ShownVisual& visual : sample.visuals) visual = take_visual(reader);
  sample.texts = take_texts(reader);
  sample.pairs.resize(reader.number(reader.num_left()));
  for (store::ScoredPair& pair : sample.pairs) {
    pair.visual = static_cast<uint32_t>(reader.number(std::numeric_limits<uint32_t>::max()));
    pair.text = static_cast<uint32_t>(reader.number(std::numeric_limits<uint32_t>::max()));
  }
  sample.answers = take_texts(reader);
  return sample;
}

}  // namespace

MessageKind kind_of(std::string_view message) {
  uint64_t kind = WireReader(message).number(static_cast<uint64_t>(MessageKind::kStop));
  if (kind == 0) throw Error{ErrorCode::kInvalidInput, "a message between ranks has no kind"};
  return static_cast<MessageKind>(kind);
}

std::string bare_message(MessageKind kind) {
  return begin(kind).take();
}

HostProcess this_host_process() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return {name.data(), static_cast<uint64_t>(::getpid())};
}

std::string encode(const Hello& hello) {
  WireWriter writer = begin(MessageKind::kHello);
  put(writer, hello.where);
  writer.text(hello.traits);
  return writer.take();
}

Hello decode_hello(std::string_view message) {
  WireReader reader = open(message, MessageKind::kHello);
  HostProcess where = take_whereabouts(reader);
  Hello hello{std::move(where), std::string(reader.text())};
  reader.finish();
  return hello;
}

std::string encode_grant(const Items& items) {
  WireWriter writer = begin(MessageKind::kGrant);
  writer.number(items.size());
  uint64_t before = 0;
  for (uint64_t item : items) writer.number(item - std::exchange(before, item));
  return writer.take();
}

Items decode_grant(std::string_view message) {
  WireReader reader = open(message, MessageKind::kGrant);
  Items items(reader.number(reader.num_left()));
  uint64_t before = 0;
  for (uint64_t& item : items) item = before += reader.number();
  reader.finish();
  return items;
}

std::string encode(const Failure& failure) {
  WireWriter writer = begin(MessageKind::kFailed);
  put(writer, failure.where);
  put(writer, failure.error);
  return writer.take();
}

Failure decode_failure(std::string_view message) {
  WireReader reader = open(message, MessageKind::kFailed);
  HostProcess where = take_whereabouts(reader);
  Failure failure{std::move(where), take_error(reader)};
  reader.finish();
  return failure;
}

std::string encode_notes(const Notes& notes) {
  WireWriter writer = begin(MessageKind::kNotes);
  const size_t count = std::min(notes.size(), kMostNotes);
  writer.number(count);
  for (size_t i = 0; i < count; ++i) writer.text(notes[i]);
  return writer.take();
}

Notes decode_notes(std::string_view message) {
  WireReader reader = open(message, MessageKind::kNotes);
  Notes notes(reader.number(kMostNotes));
  for (std::string& note : notes) note = reader.text();
  reader.finish();
  return notes;
}

SamplesWriter::SamplesWriter() : writer_(begin(MessageKind::kSamples)) {}

void SamplesWriter::add(const store::Sample& sample) {
  writer_.number(kMore);
  writer_.number(sample.task);
  writer_.number(sample.position);
  writer_.number(sample.part);
  writer_.text(sample.item);
  put(writer_, sample.clusters);
  writer_.text(sample.category);
  writer_.number(static_cast<uint64_t>(sample.status));
  put(writer_, sample.scores);
  put(writer_, sample.values);
  writer_.number(sample.ties);
  writer_.number(!sample.is_correct ? 0 : *sample.is_correct ? 2 : 1);
  writer_.real(sample.margin);
  put(writer_, sample.detail);
  writer_.number(sample.error ? 1 : 0);
  if (sample.error) put(writer_, *sample.error);
  writer_.number(sample.micros);
  writer_.number(sample.visuals.size());
  for (const store::ShownVisual& visual : sample.visuals) put(writer_, visual);
  put(writer_, sample.texts);
  writer_.number(sample.pairs.size());
  for (const store::ScoredPair& pair : sample.pairs) {
    writer_.number(pair.visual);
    writer_.number(pair.text);
  }
  put(writer_, sample.answers);
  ++num_samples_;
}

std::string SamplesWriter::finish(uint64_t grant_micros) {
  writer_.number(kEnd);
  writer_.number(grant_micros);
  std::string message = writer_.take();
  *this = SamplesWriter();
  return message;
}

SamplesMessage decode_samples(std::string_view message) {
  WireReader reader = open(message, MessageKind::kSamples);
  SamplesMessage decoded;
  while (reader.number(kMore) == kMore) decoded.samples.push_back(take_sample(reader));
  decoded.grant_micros = reader.number();
  reader.finish();
  return decoded;
}

}  // namespace snellen::dist
