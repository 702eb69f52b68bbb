#include <bulwark/base/parallel.hpp>
#include <bulwark/base/profile.hpp>

#include <gtest/gtest.h>

#include <thread>

namespace bulwark {
namespace {

TEST(ParallelSum, GivesTheSameBitsOnAnyNumberOfThreads) {
  auto sum = [] {
    return parallel_sum(100'000, [](std::size_t i) { return 1.0 / static_cast<double>(i + 1); });
  };
  set_thread_count(1);
  const double one = sum();
  for (int threads : {2, 3, 8}) {
    set_thread_count(threads);
    EXPECT_EQ(sum(), one) << threads;
  }
  set_thread_count(0);
}

TEST(ParallelFor, VisitsEveryItemOnce) {
  std::vector<int> visits(10'007, 0);
  parallel_for(visits.size(), [&](std::size_t i) { ++visits[i]; });
  EXPECT_EQ(std::count(visits.begin(), visits.end(), 1), 10'007);
}

TEST(Profile, InnerPhasesAreNotCountedTwice) {
  Profile profile;
  {
    ScopedPhase outer(profile, Phase::line_search);
    ScopedPhase inner(profile, Phase::contact);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_GE(profile[Phase::contact], 0.02);
  EXPECT_LT(profile[Phase::line_search], profile[Phase::contact]);
}

}  // namespace
}  // namespace bulwark
