#include <bulwark/base/parallel.hpp>
#include <bulwark/base/profile.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
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

TEST(ParallelFor, GivesTheSameBitsOnAnyNumberOfThreads) {
  std::vector<double> a(10'007);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = 1.0 / static_cast<double>(3 * i + 7);
  auto result = [&a] {
    std::vector<double> b(a.size());
    parallel_for(a.size(), [&](std::size_t i) {
      const double x = a[i], y = a[a.size() - 1 - i];
      b[i] = x * y + x * (1 - y) - (y * y - x * 0.1);
    });
    return b;
  };
  set_thread_count(1);
  const std::vector<double> one = result();
  for (int threads : {2, 3, 7}) {
    set_thread_count(threads);
    EXPECT_EQ(result(), one) << threads;
  }
  set_thread_count(0);
}

TEST(ParallelChunks, PassesExceptionsOn) {
  for (int threads : {1, 3}) {
    set_thread_count(threads);
    EXPECT_THROW(parallel_chunks(1000, 10,
                                 [](std::size_t, std::size_t, std::size_t chunk) {
                                   if (chunk == 57) throw std::runtime_error("found");
                                 }),
                 std::runtime_error);
  }
  set_thread_count(0);
}

TEST(Arithmetic, IsFusedOnlyWhereTheCodeSaysSo) {
  // The square of 1 + 2^-27 has a last digit that a product rounded by itself loses.
  volatile double factor = 1 + 0x1p-27, term = -(1 + 0x1p-26);
  const double a = factor, c = term;
  EXPECT_EQ(a * a + c, 0);
  EXPECT_EQ(std::fma(a, a, c), 0x1p-54);
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
