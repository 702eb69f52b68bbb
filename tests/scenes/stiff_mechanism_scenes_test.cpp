// Stiff bodies that turn: a bolt in its nut, gears, a peg, pendulums, a coin and a brick in free flight.
#include <scenes/body_shape.hpp>
#include <scenes/scene_run.hpp>

#include <Eigen/Geometry>

namespace bulwark {
namespace {

constexpr double gravity = 9.81;

void expect_rigid(const SceneRun& run) {
  EXPECT_LT(run.largest_rigidity_error(), 1e-4);
}

/// Moments of inertia about the center of mass, in the axes of the start.
Matrix3 inertia(const SceneRun& run, const std::string& name) {
  const Matrix3& S = run.world().stiff[run.world().bodies[run.body(name)].stiff].second_moment;
  return S.trace() * Matrix3::Identity() - S;
}

/// Adds up the turns of bodies about the y axis from step to step, in radians.
class Turns {
 public:
  Turns(SceneRun& run, std::vector<std::string> names) : names_(std::move(names)), total_(names_.size(), 0) {
    run.each_step([this](const SceneRun& r) {
      for (std::size_t i = 0; i < names_.size(); ++i) {
        total_[i] += r.motion(names_[i]).angular_velocity.y() * r.settings().time.step;
      }
    });
  }
  double operator[](std::size_t i) const { return total_[i]; }

 private:
  std::vector<std::string> names_;
  std::vector<double> total_;
};

/// Runs the bolt for a time and compares with the thread and with energy.
void expect_bolt_screws_in(const std::string& file, int steps) {
  SceneRun run(file);
  Turns turns(run, {"bolt"});
  const double start = run.motion("bolt").center.y();
  run.run(steps);
  const double pitch = 0.008, sunk = start - run.motion("bolt").center.y();
  EXPECT_LT(turns[0], 0);                                     // right-handed: clockwise downwards
  EXPECT_NEAR(sunk, -turns[0] / (2 * M_PI) * pitch, 1.5e-3);  // within the play of the threads
  EXPECT_LT(run.motion("bolt").center.cwiseProduct(Vector3(1, 0, 1)).norm(), 1.2e-3);
  const double lever = 2 * M_PI / pitch;
  const double acceleration = gravity / (1 + inertia(run, "bolt")(1, 1) * lever * lever / mass(run, "bolt"));
  const double expected = 0.5 * acceleration * run.time() * run.time();
  EXPECT_NEAR(sunk, expected, 0.2 * expected);  // the threads strike each other at first
  expect_rigid(run);
}

TEST(BoltScenes, BoltScrewsItselfIntoTheNut) {
  expect_bolt_screws_in("affine/bolt.json", 40);
}

TEST(SlowBoltScenes, BoltScrewsInByManyTurns) {
  expect_bolt_screws_in("affine/bolt.json", 120);
}

TEST(SlowBoltScenes, RigidBoltScrewsInToo) {
  expect_bolt_screws_in("rigid/bolt.json", 100);
}

TEST(GearScenes, CoupledGearsTurnAgainstEachOtherAndGainSpeedAsOneInertia) {
  SceneRun run("affine/coupled_gears.json");
  Turns turns(run, {"driver", "driven"});
  run.run(100);
  EXPECT_GT(turns[0], 0.3);
  EXPECT_NEAR(turns[1], -turns[0], 0.03);  // the play between the teeth
  // Teeth push each other along the line of action, with the same lever for both: the sum of speeds is exact.
  const double sum = run.motion("driver").angular_velocity.y() - run.motion("driven").angular_velocity.y();
  const double expected = 8 * run.time() / inertia(run, "driver")(1, 1);
  EXPECT_NEAR(sum, expected, 0.05 * expected);
  expect_rigid(run);
}

TEST(SlowGearScenes, CoupledGearsTurnAtEveryStiffness) {
  for (const std::string stiffness : {"1e8", "1e9", "1e11", "1e12"}) {
    SceneRun run("affine/coupled_gears.json", {"/materials/steel/stiffness=" + stiffness});
    Turns turns(run, {"driver", "driven"});
    run.run();
    EXPECT_GT(turns[0], 6) << stiffness;
    EXPECT_NEAR(turns[1], -turns[0], 0.03) << stiffness;
    if (stiffness != "1e8") expect_rigid(run);
  }
}

TEST(SlowGearScenes, TrainOf28GearsTurnsAsOneWithTheRatiosOfItsTeeth) {
  SceneRun run("affine/gear_train.json");
  std::vector<std::string> names;
  std::vector<double> teeth;
  for (int i = 1; i <= 28; ++i) {
    names.push_back("gear-" + std::to_string(i));
    const double tip = run.world().stiff[i - 1].high.x();
    teeth.push_back(std::round((tip - 0.02) * 2 / 0.02));  // tip radius = pitch radius + module
  }
  Turns turns(run, names);
  run.run(300);
  const double along = turns[0] * teeth[0];  // in teeth, up to 2 pi
  EXPECT_GT(along, 2 * M_PI);
  for (int i = 1; i < 28; ++i) {
    const double sign = i % 2 == 0 ? 1 : -1;
    EXPECT_NEAR(sign * turns[i] * teeth[i], along, 2 * M_PI * 0.1 * i) << names[i];  // play adds up
    EXPECT_GT(sign * turns[i], 0) << names[i];
  }
  expect_rigid(run);
}

TEST(PegScene, PegSlidesIntoATightHoleAndStaysThere) {
  SceneRun run("affine/peg_in_hole.json");
  run.run(40);  // 0.2 s: nearly free fall
  EXPECT_NEAR(run.motion("peg").center.y(), 1.05 - 0.5 * gravity * 0.2 * 0.2, 0.01);
  run.run();
  EXPECT_NEAR(run.lowest("peg"), 0.5, 1e-5);
  EXPECT_LT(run.motion("peg").center.cwiseProduct(Vector3(1, 0, 1)).norm(), 1.5e-5);
  EXPECT_LT(run.fastest("peg"), 0.02);
  expect_rigid(run);
}

TEST(PendulumScenes, LinkOnAPinSwingsWithThePeriodOfACompoundPendulum) {
  SceneRun run("affine/pendulum.json");
  const Vector3 start = run.motion("link").center;
  const double arm = start.norm(), start_angle = std::atan2(start.x(), -start.y());
  double turning_time = 0, farthest = start_angle;
  run.each_step([&](const SceneRun& r) {
    const Vector3 x = r.motion("link").center;
    const double angle = std::atan2(x.x(), -x.y());
    if (angle < farthest) farthest = angle, turning_time = r.time();
    EXPECT_NEAR(x.norm(), arm, 3e-3);  // it stays on the pin
  });
  run.run(300);
  const double about_pin = inertia(run, "link")(2, 2) + mass(run, "link") * arm * arm;
  const double amplitude =
      1 + start_angle * start_angle / 16;  // of the period, for a swing that is not small
  const double half_period = M_PI * std::sqrt(about_pin / (mass(run, "link") * gravity * arm)) * amplitude;
  EXPECT_NEAR(turning_time, half_period, 0.05 * half_period);
  EXPECT_LT(farthest, -0.6 * start_angle);
  EXPECT_GT(farthest, -1.02 * start_angle);
  expect_rigid(run);
}

TEST(PendulumScenes, LinksOfTheDoublePendulumStayInEachOtherAndGainNoEnergy) {
  SceneRun run("rigid/double_pendulum.json");
  double last = INFINITY;
  run.each_step([&](const SceneRun& r) {
    const Energies energies = r.reports().back().energies;
    EXPECT_LT(energies.total(), last + 0.02);  // of 10 J
    last = energies.total();
  });
  run.run(150);
  EXPECT_NEAR(run.motion("upper").center.norm(), 0.15, 4e-3);
  EXPECT_LT((run.motion("lower").center - run.motion("upper").center).norm(), 0.37);
  EXPECT_LT(run.motion("lower").center.x(), 0);  // through to the other side
}

/// The coin's lean and the turn of its axis about the vertical.
void expect_coin_precesses(const std::string& file, int steps) {
  SceneRun run(file);
  const double lean = M_PI / 6, radius = 0.012;
  const Vector3 axis(-std::sin(lean), std::cos(lean), 0);
  double turned = 0, last = M_PI, energy = INFINITY;
  run.each_step([&](const SceneRun& r) {
    const Vector3 n = r.motion("coin").rotation * axis;
    const double angle = std::atan2(-n.z(), n.x());
    turned += std::remainder(angle - last, 2 * M_PI);
    last = angle;
    const double total = r.reports().back().energies.total();
    EXPECT_LT(total, energy + 1e-7);  // of 8e-4 J
    energy = total;
  });
  run.check_every(20);
  run.run(steps);
  const double rate = std::sqrt(4 * gravity / (radius * std::sin(lean)));
  EXPECT_NEAR(std::abs(turned), rate * run.time(), 0.05 * rate * run.time());
  const double lean_now = std::acos((run.motion("coin").rotation * axis).y());
  EXPECT_LT(lean_now, lean + 0.01);
  EXPECT_GT(lean_now, lean - 0.1);
  EXPECT_LT(run.motion("coin").center.cwiseProduct(Vector3(1, 0, 1)).norm(), 1e-3);
  expect_rigid(run);
}

TEST(CoinScenes, CoinPrecessesAtTheRateOfSteadyRolling) {
  expect_coin_precesses("affine/coin.json", 400);
}

TEST(CoinScenes, RigidCoinPrecessesToo) {
  expect_coin_precesses("rigid/coin.json", 400);
}

/// Euler's equations of a free body, by Runge and Kutta's method: the orientation after a time.
Eigen::Quaterniond free_flight(const Vector3& moments, Eigen::Quaterniond q, Vector3 w, double time) {
  struct Rate {
    Eigen::Vector4d q;
    Vector3 w;
  };
  auto rate = [&](const Eigen::Vector4d& coefficients, const Vector3& v) {
    const Eigen::Quaterniond p(coefficients), turning(0, v.x(), v.y(), v.z());
    return Rate{0.5 * (p * turning).coeffs(), -v.cross(moments.cwiseProduct(v)).cwiseQuotient(moments)};
  };
  const int steps = static_cast<int>(std::ceil(time / 1e-4));
  const double h = time / steps;
  Eigen::Vector4d c = q.coeffs();
  for (int i = 0; i < steps; ++i) {
    const Rate a = rate(c, w), b = rate(c + h / 2 * a.q, w + h / 2 * a.w);
    const Rate d = rate(c + h / 2 * b.q, w + h / 2 * b.w), e = rate(c + h * d.q, w + h * d.w);
    c += h / 6 * (a.q + 2 * b.q + 2 * d.q + e.q);
    w += h / 6 * (a.w + 2 * b.w + 2 * d.w + e.w);
  }
  return Eigen::Quaterniond(c).normalized();
}

TEST(DzhanibekovScene, BrickFlipsAsEulersEquationsSay) {
  SceneRun run("affine/dzhanibekov.json");
  const Eigen::Quaterniond start(Eigen::AngleAxisd(0.5 * M_PI / 180, Vector3::UnitX()));
  const Matrix3 inertia_at_start = inertia(run, "brick");
  const Vector3 spin = run.motion("brick").angular_velocity, momentum = inertia_at_start * spin;
  const Vector3 moments = (start.inverse() * inertia_at_start * start).diagonal();
  for (int part = 0; part < 8; ++part) {
    run.run(100);
    const RigidMotion brick = run.motion("brick");
    const Vector3 axis = brick.rotation * start.toRotationMatrix() * Vector3::UnitZ();
    const Eigen::Quaterniond exact = free_flight(moments, start, start.inverse() * spin, run.time());
    EXPECT_LT((axis - exact * Vector3::UnitZ()).norm(), 0.02) << run.time();
    const Vector3 now =
        brick.rotation * inertia_at_start * brick.rotation.transpose() * brick.angular_velocity;
    EXPECT_LT((now - momentum).norm(), 2e-3 * momentum.norm()) << run.time();
    EXPECT_LT(brick.velocity.norm(), 1e-10);
  }
  EXPECT_LT(run.largest_rigidity_error(), 1e-9);
}

}  // namespace
}  // namespace bulwark
