// Springs of contacts that a step would run into.
#include <bulwark/terms/foreseen_contact.hpp>

#include <gtest/gtest.h>

namespace bulwark {
namespace {

/// Two points on the x axis, the second at the gap beyond a radius of 0.2 m.
struct Points {
  explicit Points(double gap) : positions(3, 2) {
    positions << 0.2 + gap, 0, 0, 0, 0, 0;
    pair.kind = PairKind::point_point;
    pair.vertex = {0, 1, -1, -1};
    pair.stiffness = 1e6;
    pair.offset = 0.2;
    pair.range = BarrierRange{0.01, 0}.beyond(pair.offset);
  }
  ForeseenContact foreseen() const { return {pair, closest_points(pair, positions)}; }
  /// The first point moves by this.
  static Vectors step(double x) {
    Vectors dx = Vectors::Zero(3, 2);
    dx(0, 0) = x;
    return dx;
  }

  Vectors positions;
  ContactPair pair;
};

TEST(ForeseenContact, PushesOnlyWhatComesCloserThanItKeeps) {
  for (const double gap : {1e-6, 1e-3, 0.009, 0.5}) {
    ForeseenContact contact = Points(gap).foreseen();
    EXPECT_NEAR(contact.gap(), gap, 1e-12);
    EXPECT_LE(contact.kept(), contact.gap());
    EXPECT_GT(contact.kept(), 0);
    EXPECT_FALSE(contact.pushes());
    EXPECT_FALSE(contact.see(Points::step(1)));
    EXPECT_FALSE(contact.pushes());
    EXPECT_TRUE(contact.see(Points::step(-gap)));
    EXPECT_TRUE(contact.pushes());
    EXPECT_TRUE(contact.see(Points::step(gap)));
    EXPECT_FALSE(contact.pushes());
  }
}

TEST(ForeseenContact, NeverPullsAtTheStart) {
  ForeseenContact contact = Points(0.5).foreseen();
  contact.see(Points::step(-1));
  // Downhill on the spring is towards the gap that it keeps.
  EXPECT_GE(contact.gradient().x(), 0);
  EXPECT_GE(contact.hessian()(0, 0), 0);
}

TEST(ForeseenContact, GrowsStifferUntilItKeepsSolidsApart) {
  // A mass pulled through the other point by a force: the spring's equilibrium ends up at a positive gap.
  for (const double force : {1e-3, 1.0, 1e3, 1e6}) {
    ForeseenContact contact = Points(0.02).foreseen();
    Vectors dx = Points::step(-0.1);
    int rounds = 0;
    while (contact.see(dx) && rounds < 40) {
      ++rounds;
      const double next = contact.kept() - force / contact.stiffness();
      dx = Points::step(next - contact.gap());
    }
    EXPECT_LT(rounds, 40) << force;
    EXPECT_GT(contact.gap() + dx(0, 0), 0) << force;
  }
}

}  // namespace
}  // namespace bulwark
