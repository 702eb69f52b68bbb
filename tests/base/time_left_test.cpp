#include <bulwark/base/time_left.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace bulwark {
namespace {

/// The worst ratio between the time that is left and the estimate of it, over the middle of the loop.
double worst_factor(int rounds, const std::function<double(int)>& cost) {
  std::vector<double> ends = {0};
  for (int i = 0; i < rounds; ++i) ends.push_back(ends.back() + cost(i));
  TimeLeft left(0, rounds, 0);
  double worst = 1;
  for (int i = 1; i < rounds; ++i) {
    left.round_done(ends[i]);
    if (i < rounds / 5) continue;
    const double truth = ends.back() - ends[i], estimate = left.seconds();
    worst = std::max({worst, truth / estimate, estimate / truth});
  }
  return worst;
}

TEST(TimeLeft, IsExactForRoundsThatCostTheSame) {
  EXPECT_NEAR(worst_factor(100, [](int) { return 0.1; }), 1, 1e-9);
}

TEST(TimeLeft, IsRightWithinAFactorOfTwoWhenTheCostGrowsThreefold) {
  EXPECT_LT(worst_factor(200, [](int i) { return 0.05 + 0.0005 * i; }), 2);
}

TEST(TimeLeft, ForgetsCheapRoundsAtTheStart) {
  // Things fall freely for a fifth of the run, then touch: 20 times the cost. The mean from the start would
  // be wrong by a factor of ten right after that.
  TimeLeft left(0, 200, 0);
  double now = 0;
  for (int i = 0; i < 60; ++i) left.round_done(now += i < 40 ? 0.01 : 0.2);
  EXPECT_NEAR(left.seconds(), 140 * 0.2, 0.01 * 140 * 0.2);
}

TEST(TimeLeft, CountsFromTheStepThatARunResumesAt) {
  TimeLeft left(50, 60, 100);
  left.round_done(101);
  EXPECT_NEAR(left.seconds(), 9, 1e-12);
}

}  // namespace
}  // namespace bulwark
