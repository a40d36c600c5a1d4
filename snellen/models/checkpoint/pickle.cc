// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/checkpoint/pickle.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/base/python_json.h"
#include "snellen/models/checkpoint/pickle_opcodes.h"

namespace snellen::models {
namespace {

using Kind = PickleValue::Kind;

constexpr uint64_t kLastProtocol = 5;
constexpr size_t kMaxNameBytes = 1024;
constexpr uint32_t kUnset = 0xffffffff;

class Machine {
 public:
  Machine(std::string_view bytes,
          std::span<const std::string_view> allowed,
          const std::string& where,
          const PickleLimits& limits)
      : bytes_(bytes), allowed_(allowed), where_(where), limits_(limits) {}

  Pickle run() {
    for (size_t count = 0; count < limits_.max_opcodes; ++count) {
      opcode_at_ = at_;
      auto opcode = static_cast<uint8_t>(take(1)[0]);
      if (opcode == kStop) {
        result_.root = pop();
        return std::move(result_);
      }
      if (!step(opcode)) refuse(opcode);
    }
    fail(fmt::format("has more than {} opcodes", limits_.max_opcodes));
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error{
        ErrorCode::kInvalidInput,
        fmt::format("the pickle {} (at its byte {})", what, opcode_at_),
        where_,
        "nothing in it was run; use a safetensors file, or save the state dict alone again"};
  }

  [[noreturn]] void refuse(uint8_t opcode) {
    if (opcode == kInst) {
      std::string_view module = line();
      push_global(module, line());
    }
    fail(fmt::format("uses opcode 0x{:02x}, which is refused: only tensors are read", opcode));
  }

  bool step(uint8_t opcode) {
    return step_scalar(opcode) || step_text(opcode) || step_memo(opcode) || step_stack(opcode) ||
           step_container(opcode);
  }

  bool step_scalar(uint8_t opcode) {
    switch (opcode) {
      case kNone:
        return push({});
      case kNewTrue:
        return push({.kind = Kind::kBool, .integer = 1});
      case kNewFalse:
        return push({.kind = Kind::kBool, .integer = 0});
      case kBinInt:
        return push_integer(static_cast<int32_t>(unsigned_number(4)));
      case kBinInt1:
        return push_integer(static_cast<int64_t>(unsigned_number(1)));
      case kBinInt2:
        return push_integer(static_cast<int64_t>(unsigned_number(2)));
      case kLong1:
        return push_integer(long1());
      case kBinFloat:
        return push({.kind = Kind::kFloat, .number = big_endian_double()});
      default:
        return false;
    }
  }

  bool step_text(uint8_t opcode) {
    switch (opcode) {
      case kShortBinString:
      case kShortBinUnicode:
        return push_text(unsigned_number(1));
      case kBinString:
      case kBinUnicode:
        return push_text(unsigned_number(4));
      case kBinUnicode8:
        return push_text(unsigned_number(8));
      case kGlobal: {
        std::string_view module = line();
        return push_global(module, line());
      }
      case kStackGlobal:
        return stack_global();
      default:
        return false;
    }
  }

  bool step_memo(uint8_t opcode) {
    switch (opcode) {
      case kMemoize:
        return put(num_memoized_);
      case kBinPut:
        return put(unsigned_number(1));
      case kLongBinPut:
        return put(unsigned_number(4));
      case kBinGet:
        return get(unsigned_number(1));
      case kLongBinGet:
        return get(unsigned_number(4));
      default:
        return false;
    }
  }

  bool step_stack(uint8_t opcode) {
    switch (opcode) {
      case kProto:
        if (uint64_t version = unsigned_number(1); version > kLastProtocol)
          fail(fmt::format("has protocol {}, at most {} is read", version, kLastProtocol));
        return true;
      case kFrame:
        return !take(8).empty();
      case kMark:
        return mark();
      case kPop:
        pop();
        return true;
      case kPopMark:
        pop_to_mark();
        return true;
      case kDup:
        return push_index(top());
      case kReduce:
        return reduce();
      case kBuild:
        return build();
      case kBinPersId:
        return push({.kind = Kind::kPersistent, .items = pop_several(1)});
      default:
        return false;
    }
  }

  bool step_container(uint8_t opcode) {
    switch (opcode) {
      case kEmptyTuple:
        return push({.kind = Kind::kTuple});
      case kEmptyList:
        return push({.kind = Kind::kList});
      case kEmptyDict:
        return push({.kind = Kind::kDict});
      case kTuple:
        return push({.kind = Kind::kTuple, .items = pop_to_mark()});
      case kTuple1:
        return push({.kind = Kind::kTuple, .items = pop_several(1)});
      case kTuple2:
        return push({.kind = Kind::kTuple, .items = pop_several(2)});
      case kTuple3:
        return push({.kind = Kind::kTuple, .items = pop_several(3)});
      case kList:
        return push({.kind = Kind::kList, .items = pop_to_mark()});
      case kDict: {
        std::vector<uint32_t> items = pop_to_mark();
        return push({.kind = Kind::kDict}) && extend(items, Kind::kDict);
      }
      case kAppend:
        return extend(pop_several(1), Kind::kList);
      case kAppends:
        return extend(pop_to_mark(), Kind::kList);
      case kSetItem:
        return extend(pop_several(2), Kind::kDict);
      case kSetItems:
        return extend(pop_to_mark(), Kind::kDict);
      default:
        return false;
    }
  }

  std::string_view take(uint64_t size) {
    if (size > bytes_.size() - at_) fail("ends early");
    std::string_view piece = bytes_.substr(at_, static_cast<size_t>(size));
    at_ += piece.size();
    return piece;
  }

  std::string_view line() {
    size_t end = bytes_.substr(at_, kMaxNameBytes).find('\n');
    if (end == std::string_view::npos) fail("has a name without an end");
    std::string_view text = take(end);
    take(1);
    return text;
  }

  uint64_t unsigned_number(size_t num_bytes) {
    std::string_view bytes = take(num_bytes);
    uint64_t value = 0;
    for (size_t i = num_bytes; i-- > 0;) value = value << 8 | static_cast<uint8_t>(bytes[i]);
    return value;
  }

  int64_t long1() {
    uint64_t num_bytes = unsigned_number(1);
    if (num_bytes > 8) fail(fmt::format("has a number of {} bytes", num_bytes));
    if (num_bytes == 0) return 0;
    uint64_t value = unsigned_number(static_cast<size_t>(num_bytes));
    // Two's complement, as wide as it says: the sign is carried up, then back down.
    auto shift = static_cast<int>(64 - 8 * num_bytes);
    return static_cast<int64_t>(value << shift) >> shift;
  }

  double big_endian_double() {
    uint64_t bits = 0;
    for (char byte : take(8)) bits = bits << 8 | static_cast<uint8_t>(byte);
    return std::bit_cast<double>(bits);
  }

  // These say true, "done", so that a step can end with them.
  bool push_index(uint32_t index) {
    if (stack_.size() >= limits_.max_stack)
      fail(fmt::format("stacks more than {} values", limits_.max_stack));
    stack_.push_back(index);
    return true;
  }
  bool push(PickleValue value) {
    if (result_.values.size() >= limits_.max_values)
      fail(fmt::format("holds more than {} values", limits_.max_values));
    push_index(static_cast<uint32_t>(result_.values.size()));
    result_.values.push_back(std::move(value));
    return true;
  }
  bool push_integer(int64_t value) { return push({.kind = Kind::kInt, .integer = value}); }
  bool push_text(uint64_t size) { return push({.kind = Kind::kText, .text = take(size)}); }

  bool mark() {
    if (marks_.size() >= limits_.max_stack)
      fail(fmt::format("sets more than {} marks", limits_.max_stack));
    marks_.push_back(stack_.size());
    return true;
  }

  // Nothing below the last mark may be touched before the mark is.
  void need(size_t count) const {
    size_t floor = marks_.empty() ? 0 : marks_.back();
    if (stack_.size() - floor < count) fail("takes more from the stack than there is");
  }
  uint32_t top() const {
    need(1);
    return stack_.back();
  }
  uint32_t pop() {
    uint32_t index = top();
    stack_.pop_back();
    return index;
  }
  std::vector<uint32_t> pop_several(size_t count) {
    need(count);
    std::vector<uint32_t> items(stack_.end() - static_cast<ptrdiff_t>(count), stack_.end());
    stack_.resize(stack_.size() - count);
    return items;
  }
  std::vector<uint32_t> pop_to_mark() {
    if (marks_.empty()) fail("has no mark where it needs one");
    size_t mark = marks_.back();
    std::vector<uint32_t> items = pop_several(stack_.size() - mark);
    marks_.pop_back();
    return items;
  }

  bool put(uint64_t key) {
    if (key >= limits_.max_values) fail(fmt::format("remembers a value as number {}", key));
    if (memo_.size() <= key) memo_.resize(std::max<size_t>(key + 1, memo_.size() * 2), kUnset);
    if (memo_[key] == kUnset) ++num_memoized_;
    memo_[key] = top();
    return true;
  }
  bool get(uint64_t key) {
    if (key >= memo_.size() || memo_[key] == kUnset)
      fail(fmt::format("recalls value {}, which it never remembered", key));
    return push_index(memo_[key]);
  }

  bool extend(const std::vector<uint32_t>& items, Kind kind) {
    PickleValue& container = result_.values[top()];
    if (container.kind != kind || (kind == Kind::kDict && items.size() % 2 != 0))
      fail("fills something that is not a list or dictionary");
    container.items.insert(container.items.end(), items.begin(), items.end());
    return true;
  }

  bool push_global(std::string_view module, std::string_view name) {
    std::string joined = fmt::format("{}.{}", module, name);
    auto found = std::find(allowed_.begin(), allowed_.end(), joined);
    if (found == allowed_.end())
      fail(fmt::format("names {}, which is refused: only tensors are read", python_string(joined)));
    return push({.kind = Kind::kGlobal, .text = *found});
  }

  bool stack_global() {
    std::vector<uint32_t> names = pop_several(2);
    const PickleValue& module = result_.values[names[0]];
    const PickleValue& name = result_.values[names[1]];
    if (module.kind != Kind::kText || name.kind != Kind::kText)
      fail("names something by a value that is not text");
    return push_global(module.text.substr(0, kMaxNameBytes), name.text.substr(0, kMaxNameBytes));
  }

  bool reduce() {
    std::vector<uint32_t> items = pop_several(2);
    if (result_.values[items[0]].kind != Kind::kGlobal ||
        result_.values[items[1]].kind != Kind::kTuple) {
      fail("calls something that is not a name");
    }
    if (result_.values[items[0]].text == "collections.OrderedDict" &&
        result_.values[items[1]].items.empty()) {
      return push({.kind = Kind::kDict});
    }
    return push({.kind = Kind::kCall, .items = std::move(items)});
  }

  // torch puts `_metadata` on the OrderedDict of a state dict; nothing here needs it.
  bool build() {
    pop();
    Kind kind = result_.values[top()].kind;
    if (kind != Kind::kDict && kind != Kind::kCall) fail("sets the state of something else");
    return true;
  }

  std::string_view bytes_;
  std::span<const std::string_view> allowed_;
  const std::string& where_;
  const PickleLimits& limits_;
  size_t at_ = 0;
  size_t opcode_at_ = 0;
  Pickle result_;
  std::vector<uint32_t> stack_;
  std::vector<size_t> marks_;
  std::vector<uint32_t> memo_;
  size_t num_memoized_ = 0;
};

}  // namespace

Pickle read_pickle(std::string_view bytes,
                   std::span<const std::string_view> allowed,
                   const std::string& where,
                   const PickleLimits& limits) {
  return Machine(bytes, allowed, where, limits).run();
}

}  // namespace snellen::models
