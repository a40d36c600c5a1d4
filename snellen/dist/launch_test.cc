// SPDX-License-Identifier: Apache-2.0
#include "snellen/dist/launch.h"

#include <gtest/gtest.h>

namespace snellen::dist {
namespace {

TEST(Launch, FindsNothingInAnEmptyEnvironment) {
  Launch launch = find_launch({});
  EXPECT_FALSE(launch.may_be_group);
  EXPECT_EQ(launch.rank, 0);
  EXPECT_FALSE(launch.local_rank);
}

TEST(Launch, KnowsARankOfOpenMpi) {
  Launch launch = find_launch({{"OMPI_COMM_WORLD_SIZE", "4"},
                               {"OMPI_COMM_WORLD_RANK", "3"},
                               {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                               {"PMIX_RANK", "3"}});
  EXPECT_TRUE(launch.may_be_group);
  EXPECT_EQ(launch.rank, 3);
  EXPECT_EQ(launch.local_rank, 1);
}

TEST(Launch, KnowsARankOfOpenMpiWithoutItsWorldVariables) {
  Launch launch = find_launch({{"OMPI_MCA_orte_ess_num_procs", "2"},
                               {"OMPI_MCA_ess_base_jobid", "7"},
                               {"OMPI_MCA_ess_base_vpid", "1"}});
  EXPECT_TRUE(launch.may_be_group);
  EXPECT_EQ(launch.rank, 1);
}

TEST(Launch, AsksMpiWhereOnlyPmixIsKnown) {
  EXPECT_TRUE(find_launch({{"PMIX_RANK", "0"}, {"PMIX_NAMESPACE", "185597953"}}).may_be_group);
}

TEST(Launch, KnowsAStepOfSlurmWithPmix) {
  Variables step = {{"PMIX_RANK", "2"},
                    {"PMIX_NAMESPACE", "slurm.pmix.12.0"},
                    {"SLURM_STEP_NUM_TASKS", "8"},
                    {"SLURM_LOCALID", "2"}};
  Launch launch = find_launch(step);
  EXPECT_TRUE(launch.may_be_group);
  EXPECT_EQ(launch.rank, 2);
  EXPECT_EQ(launch.local_rank, 2);
  step["SLURM_STEP_NUM_TASKS"] = "1";  // a shell on a node
  EXPECT_FALSE(find_launch(step).may_be_group);
}

TEST(Launch, AsksMpiOfAnMpirunInsideAStepOfSlurmWithOneTask) {
  EXPECT_TRUE(
      find_launch(
          {{"PMIX_RANK", "0"}, {"PMIX_NAMESPACE", "185597953"}, {"SLURM_STEP_NUM_TASKS", "1"}})
          .may_be_group);
}

TEST(Launch, LeavesTasksOfSlurmAloneThatCannotMeet) {
  Launch launch =
      find_launch({{"SLURM_PROCID", "1"}, {"SLURM_NTASKS", "4"}, {"SLURM_STEP_NUM_TASKS", "4"}});
  EXPECT_FALSE(launch.may_be_group);
}

TEST(Launch, KnowsPmi) {
  EXPECT_TRUE(find_launch({{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}}).may_be_group);
  EXPECT_FALSE(find_launch({{"PMI_RANK", "0"}, {"PMI_SIZE", "1"}}).may_be_group);
  EXPECT_EQ(find_launch({{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}}).rank, 1);
}

TEST(Launch, DoesNotTakeWordsForNumbers) {
  EXPECT_EQ(find_launch({{"OMPI_COMM_WORLD_RANK", "first"}, {"PMIX_RANK", "5"}}).rank, 5);
}

TEST(Launch, GivesRanksOfAMachineItsGpusInTurns) {
  Launch launch = find_launch({{"CUDA_VISIBLE_DEVICES", "4,6"}});
  EXPECT_EQ(launch.gpu_of(0), 0);
  EXPECT_EQ(launch.gpu_of(1), 1);
  EXPECT_EQ(launch.gpu_of(2), 0);
  EXPECT_EQ(find_launch({{"CUDA_VISIBLE_DEVICES", ""}}).gpu_of(3), 3);
}

}  // namespace
}  // namespace snellen::dist
