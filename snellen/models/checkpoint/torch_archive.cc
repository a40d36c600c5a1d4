// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/checkpoint/torch_archive.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/base/python_json.h"
#include "snellen/formats/zip.h"
#include "snellen/models/checkpoint/pickle.h"

namespace snellen::models {
namespace {

using Kind = PickleValue::Kind;

constexpr size_t kMaxPickleBytes = size_t{64} << 20;
constexpr size_t kMaxNameBytes = 1024;  // of a tensor
constexpr size_t kMaxByteOrder = 64;
// A tensor with more elements than its storage (a stride of 0) is honoured up to this size.
constexpr int64_t kMaxExpanded = int64_t{1} << 28;

constexpr std::string_view kRebuildTensor = "torch._utils._rebuild_tensor_v2";
constexpr std::string_view kRebuildParameter = "torch._utils._rebuild_parameter";
constexpr std::array<std::string_view, 15> kAllowed = {"collections.OrderedDict",
                                                       kRebuildTensor,
                                                       kRebuildParameter,
                                                       "torch.Size",
                                                       "torch.storage.UntypedStorage",
                                                       "torch.DoubleStorage",
                                                       "torch.FloatStorage",
                                                       "torch.HalfStorage",
                                                       "torch.BFloat16Storage",
                                                       "torch.LongStorage",
                                                       "torch.IntStorage",
                                                       "torch.ShortStorage",
                                                       "torch.CharStorage",
                                                       "torch.ByteStorage",
                                                       "torch.BoolStorage"};
// In the order of ElementType, from DoubleStorage on; an untyped storage is read as bytes.
constexpr std::array<ElementType, 10> kStorageTypes = {ElementType::kF64,
                                                       ElementType::kF32,
                                                       ElementType::kF16,
                                                       ElementType::kBF16,
                                                       ElementType::kI64,
                                                       ElementType::kI32,
                                                       ElementType::kI16,
                                                       ElementType::kI8,
                                                       ElementType::kU8,
                                                       ElementType::kBool};
constexpr size_t kFirstStorage = 5;
constexpr size_t kUntypedStorage = 4;

struct Storage {
  ElementType type = ElementType::kF32;
  std::string_view bytes;
  int64_t num_elements = 0;
};

class Archive {
 public:
  Archive(std::string_view file, const std::string& where) : where_(where) {
    check_form(file);
    for (const formats::ZipEntry& entry : formats::read_zip_directory(file, where))
      entries_.emplace(entry.name, entry);
    top_ = find_top();
    auto order = entries_.find(top_ + "/byteorder");
    if (order != entries_.end() &&
        formats::unpack(order->second, kMaxByteOrder, where_) != "little")
      fail("its bytes are not little-endian", "save it again on a common machine");
    pickle_bytes_ = formats::unpack(entries_.at(top_ + "/data.pkl"), kMaxPickleBytes, where_);
    pickle_ = read_pickle(pickle_bytes_, kAllowed, where_);
  }

  std::vector<NamedTensor> read() const {
    const PickleValue* dict = &value(pickle_.root);
    if (dict->kind == Kind::kDict) {
      const PickleValue* inner = find_key(*dict, "state_dict");
      if (inner != nullptr && inner->kind == Kind::kDict) dict = inner;
    }
    if (dict->kind != Kind::kDict) fail("holds no dictionary of tensors", kSaveAgain);
    // The last value of a key counts, as in Python.
    std::map<std::string_view, size_t> position;
    std::vector<NamedTensor> tensors;
    for (size_t i = 0; i + 1 < dict->items.size(); i += 2) {
      const PickleValue& key = value(dict->items[i]);
      if (key.kind != Kind::kText || !is_tensor(value(dict->items[i + 1]))) continue;
      // One key in memory may stand in millions of entries, so a long one is not even compared.
      if (key.text.size() > kMaxNameBytes) continue;
      StoredTensorView tensor = tensor_of(key.text, value(dict->items[i + 1]));
      auto [known, is_new] = position.emplace(key.text, tensors.size());
      if (is_new) {
        tensors.push_back({std::string(key.text), std::move(tensor)});
      } else {
        tensors[known->second].tensor = std::move(tensor);
      }
    }
    if (tensors.empty()) fail("holds no tensors", kSaveAgain);
    return tensors;
  }

 private:
  static constexpr const char* kSaveAgain = "save the model's state_dict with torch.save";

  [[noreturn]] void fail(std::string what, std::string hint = "download the file again") const {
    throw Error{ErrorCode::kInvalidInput, std::move(what), where_, std::move(hint)};
  }
  [[noreturn]] void fail_tensor(std::string_view name, std::string_view what) const {
    fail(fmt::format("tensor {}: {}", python_string(name), what));
  }

  // Only the zip form is read; what else torch has written is recognised, so that the hint helps.
  void check_form(std::string_view file) const {
    constexpr std::string_view kLegacyMagic("\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", 12);
    if (file.starts_with("PK")) return;
    if (file.size() > 2 && file[0] == '\x80' && file.substr(2).starts_with(kLegacyMagic)) {
      fail("is in the form torch wrote before 2020, which is not read",
           "load it in Python once and save it again with torch.save or safetensors");
    }
    if (file.starts_with('\x80')) {
      fail("is a bare pickle, not an archive of torch.save; nothing in it was run", kSaveAgain);
    }
    fail(file.empty() ? "is empty" : "is not a zip archive of torch.save");
  }

  // The folder that all of torch's entries lie in.
  std::string find_top() const {
    constexpr std::string_view kPickle = "/data.pkl";
    std::vector<std::string> tops;
    for (const auto& [name, entry] : entries_) {
      if (!name.ends_with(kPickle)) continue;
      std::string_view top = name.substr(0, name.size() - kPickle.size());
      if (!top.empty() && top.find('/') == std::string_view::npos) tops.emplace_back(top);
    }
    if (tops.size() != 1)
      fail(fmt::format("holds {} entries <top>/data.pkl, expected 1", tops.size()));
    return tops.front();
  }

  const PickleValue& value(uint32_t index) const { return pickle_.values[index]; }

  const PickleValue* find_key(const PickleValue& dict, std::string_view name) const {
    for (size_t i = 0; i + 1 < dict.items.size(); i += 2) {
      const PickleValue& key = value(dict.items[i]);
      if (key.kind == Kind::kText && key.text == name) return &value(dict.items[i + 1]);
    }
    return nullptr;
  }

  bool is_call_of(const PickleValue& call, std::string_view name) const {
    return call.kind == Kind::kCall && value(call.items[0]).text == name;
  }
  bool is_tensor(const PickleValue& call) const {
    return is_call_of(call, kRebuildTensor) || is_call_of(call, kRebuildParameter);
  }

  const std::vector<uint32_t>& arguments(const PickleValue& call,
                                         size_t at_least,
                                         std::string_view name) const {
    const std::vector<uint32_t>& items = value(call.items[1]).items;
    if (items.size() < at_least) fail_tensor(name, "is described by too few values");
    return items;
  }

  StoredTensorView tensor_of(std::string_view name, const PickleValue& given) const {
    const PickleValue* call = &given;
    if (is_call_of(*call, kRebuildParameter)) call = &value(arguments(*call, 1, name)[0]);
    if (!is_call_of(*call, kRebuildTensor)) fail_tensor(name, "is a parameter of no tensor");
    // storage, offset, shape, strides, then what only training needs.
    const std::vector<uint32_t>& items = arguments(*call, 4, name);
    Storage storage = storage_of(name, value(items[0]));
    StoredTensorView tensor;
    tensor.type = storage.type;
    tensor.shape = integers(name, value(items[2]));
    tensor.strides = integers(name, value(items[3]));
    place(name, storage, integer(name, value(items[1])), tensor);
    return tensor;
  }

  int64_t integer(std::string_view name, const PickleValue& number) const {
    if (number.kind != Kind::kInt || number.integer < 0)
      fail_tensor(name, "a size, stride or offset is not a whole number of 0 or more");
    return number.integer;
  }

  std::vector<int64_t> integers(std::string_view name, const PickleValue& given) const {
    const PickleValue* tuple = &given;
    if (is_call_of(*tuple, "torch.Size")) tuple = &value(arguments(*tuple, 1, name)[0]);
    if (tuple->kind != Kind::kTuple && tuple->kind != Kind::kList)
      fail_tensor(name, "its shape or strides are not a tuple");
    std::vector<int64_t> numbers;
    for (uint32_t item : tuple->items) numbers.push_back(integer(name, value(item)));
    return numbers;
  }

  // ('storage', torch.FloatStorage, key, device, number of elements)
  Storage storage_of(std::string_view name, const PickleValue& given) const {
    if (given.kind != Kind::kPersistent) fail_tensor(name, "has no storage");
    const PickleValue& id = value(given.items[0]);
    if (id.kind != Kind::kTuple || id.items.size() < 5 || value(id.items[0]).text != "storage")
      fail_tensor(name, "its storage is described in an unknown way");
    const PickleValue& key = value(id.items[2]);
    if (key.kind != Kind::kText) fail_tensor(name, "its storage has no name");
    Storage storage;
    storage.type = storage_type(name, value(id.items[1]));
    storage.num_elements = integer(name, value(id.items[4]));
    auto entry = entries_.find(fmt::format("{}/data/{}", top_, key.text));
    if (entry == entries_.end())
      fail_tensor(name, fmt::format("its entry data/{} is not in the archive", key.text));
    if (!entry->second.is_stored)
      fail_tensor(name, "its bytes are compressed, which torch.save never does");
    storage.bytes = entry->second.packed;
    auto held = static_cast<int64_t>(storage.bytes.size() / bytes_per_element(storage.type));
    if (storage.num_elements > held) {
      fail_tensor(
          name,
          fmt::format(
              "its storage claims {} elements, its entry holds {}", storage.num_elements, held));
    }
    return storage;
  }

  ElementType storage_type(std::string_view name, const PickleValue& global) const {
    if (global.kind == Kind::kGlobal) {
      auto found = static_cast<size_t>(std::find(kAllowed.begin(), kAllowed.end(), global.text) -
                                       kAllowed.begin());
      if (found == kUntypedStorage) return ElementType::kU8;
      if (found >= kFirstStorage && found < kAllowed.size())
        return kStorageTypes[found - kFirstStorage];
    }
    fail_tensor(name, "its storage has no element type");
  }

  // Cuts the tensor's bytes out of its storage: every element the strides reach must be inside.
  void place(std::string_view name,
             const Storage& storage,
             int64_t offset,
             StoredTensorView& tensor) const {
    std::optional<int64_t> count = checked_num_elements(tensor.shape);
    if (!count || tensor.strides.size() != tensor.shape.size()) {
      fail_tensor(name,
                  fmt::format("shape {} with strides {} does not fit a tensor",
                              shape_text(tensor.shape),
                              shape_text(tensor.strides)));
    }
    if (*count == 0) return;
    int64_t last = 0;
    bool is_inside = true;
    for (size_t i = 0; i < tensor.shape.size() && is_inside; ++i) {
      int64_t step = 0;
      is_inside = !__builtin_mul_overflow(tensor.shape[i] - 1, tensor.strides[i], &step) &&
                  !__builtin_add_overflow(last, step, &last);
    }
    if (!is_inside || offset >= storage.num_elements || last >= storage.num_elements - offset) {
      fail_tensor(name,
                  fmt::format("shape {} with strides {} from element {} leaves its storage of {}",
                              shape_text(tensor.shape),
                              shape_text(tensor.strides),
                              offset,
                              storage.num_elements));
    }
    if (*count > std::max(storage.num_elements, kMaxExpanded))
      fail_tensor(name, fmt::format("{} elements stand for {}", storage.num_elements, *count));
    size_t size = bytes_per_element(tensor.type);
    tensor.bytes = storage.bytes.substr(static_cast<size_t>(offset) * size,
                                        static_cast<size_t>(last + 1) * size);
  }

  const std::string& where_;
  std::map<std::string_view, formats::ZipEntry, std::less<>> entries_;
  std::string top_;
  std::string pickle_bytes_;
  Pickle pickle_;
};

}  // namespace

std::vector<NamedTensor> read_torch_archive(std::string_view file, const std::string& where) {
  return Archive(file, where).read();
}

}  // namespace snellen::models
