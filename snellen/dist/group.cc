// SPDX-License-Identifier: Apache-2.0
#include "snellen/dist/group.h"

#include "snellen/dist/memory_link.h"

namespace snellen::dist {
namespace {

class GroupOfOne final : public Group {
 public:
  GroupOfOne() : Group(Place{}), link_(InMemoryRanks(1).join(0)) {}

  Link& link() override { return *link_; }
  void sum(std::span<float>) override {}
  std::vector<float> gather(std::span<const float> values) override {
    return {values.begin(), values.end()};
  }
  void broadcast(std::span<char>) override {}
  void barrier() override {}
  bool leave(double) override { return true; }

 private:
  std::unique_ptr<Link> link_;
};

}  // namespace

std::optional<int> gpu_of(const Launch& launch, const Group& group) {
  if (group.size() > 1) return launch.gpu_of(group.local_rank());
  return launch.local_rank ? std::optional(launch.gpu_of(*launch.local_rank)) : std::nullopt;
}

bool any_of(Group& group, bool here) {
  float votes = here ? 1.0F : 0.0F;
  group.sum({&votes, 1});
  return votes > 0;
}

std::unique_ptr<Group> group_of_one() {
  return std::make_unique<GroupOfOne>();
}

std::unique_ptr<Group> join_group(const Launch& launch) {
  return launch.may_be_group ? join_mpi_group() : group_of_one();
}

}  // namespace snellen::dist
