// The scenes of high-order solids and of ANCF beams and shells.
#include <scenes/scene_run.hpp>

#include <bulwark/sim/reactions.hpp>

#include <Eigen/LU>

#include <algorithm>
#include <map>
#include <numbers>
#include <utility>

namespace bulwark {
namespace {

TEST(FlexibleScenes, TheColumnCarriesEulersLoad) {
  SceneRun run("flexible/euler_column.json");
  std::vector<double> force;
  run.each_step(
      [&](const SceneRun& now) { force.push_back(now.simulation().reactions().at(0).wrench.force.y()); });
  run.run();
  ASSERT_EQ(force.size(), 20U);
  const double euler = std::pow(std::numbers::pi, 2) * 1e9 * 0.02 * std::pow(0.01, 3) / 12;
  EXPECT_NEAR(force[0] / force[1], 0.5, 0.01);  // straight: in proportion to the way
  EXPECT_NEAR(force[9], euler, 0.01 * euler);
  // The elastica at a shortening of 0.05 L carries about 1 + 0.05 / 2 of it.
  EXPECT_NEAR(force[19], 1.025 * euler, 0.01 * euler);
}

TEST(FlexibleScenes, ThePlateBendsAcrossItsFibres) {
  SceneRun run("flexible/orthotropic_shell.json");
  run.run();
  const Vectors now = run.positions("plate");
  const Vectors& rest = run.world().rest;
  double along = 0, across = 0;  // how low the middles of the edges are
  for (int c = 0; c < now.cols(); ++c) {
    if ((rest.col(c) - Vector3(0.25, 0, 0)).norm() < 1e-6) along = now(1, c);
    if ((rest.col(c) - Vector3(0, 0, 0.25)).norm() < 1e-6) across = now(1, c);
  }
  EXPECT_LT(across, 0);
  EXPECT_LT(across, 3 * along);
}

TEST(FlexibleScenes, TheHookSnapsInAndHolds) {
  SceneRun run("flexible/snap_fit.json");
  run.check_every(10);
  run.run();
  // The root is pulled back by 5 mm, the catch would be 2 mm in front of the ledge's end: the ledge keeps it behind.
  EXPECT_GT(run.positions("hook").row(0).maxCoeff(), 0.075);
  EXPECT_GT(run.contact_force("hook").norm(), 0.01);
}

TEST(FlexibleScenes, ATyreAShellAClothAndABoxMeet) {
  SceneRun run("flexible/mixed.json");
  const double board = run.lowest("springboard"), cloth = run.highest("cloth");
  run.run(12);  // every state is checked exactly
  EXPECT_LT(run.lowest("springboard"), board);
  EXPECT_LT(run.highest("cloth"), cloth);
}

TEST(SlowFlexibleScenes, TheTyreTheShellTheClothAndTheBoxBearEachOther) {
  SceneRun run("flexible/mixed.json");
  const double board = run.lowest("springboard");
  double lowest = board;
  run.each_step([&](const SceneRun& now) { lowest = std::min(lowest, now.lowest("springboard")); });
  run.run();
  EXPECT_LT(lowest, board - 0.01);                // the box bends it
  EXPECT_GT(run.contact_force("box").norm(), 1);  // and is carried by it
  EXPECT_GT(run.contact_force("cloth").norm(), 0.1);
  EXPECT_GT(run.highest("cloth"), 0.55);  // it hangs over the tyre
}

/// The largest force so far between two bodies of a scene.
class LargestForces {
 public:
  void see(const SceneRun& run) {
    for (const ContactPairForce& pair : contact_pair_forces(run.simulation().contacts())) {
      double& largest = largest_[std::minmax(pair.body_a, pair.body_b)];
      largest = std::max(largest, pair.wrench.force.norm());
    }
  }
  double between(int a, int b) const {
    const auto found = largest_.find(std::minmax(a, b));
    return found == largest_.end() ? 0 : found->second;
  }

 private:
  std::map<std::pair<int, int>, double> largest_;
};

TEST(FlexibleScenes, AQuadraticTyreAFlapAClothAndABoxCollide) {
  SceneRun run("flexible/meeting.json");
  LargestForces forces;
  run.each_step([&](const SceneRun& now) { forces.see(now); });
  run.run(15);  // every state is checked exactly
  const int tyre = run.body("tyre"), box = run.body("box"), flap = run.body("flap"),
            cloth = run.body("cloth");
  EXPECT_GT(forces.between(tyre, box), 1);
  EXPECT_GT(forces.between(box, flap), 0.1);
  EXPECT_GT(forces.between(cloth, tyre), 0.01);
  EXPECT_GT(run.motion("box").velocity.x(), 0.1);
}

TEST(SlowFlexibleScenes, TheTyreDrivesTheBoxThroughTheFlapUnderTheCloth) {
  SceneRun run("flexible/meeting.json");
  LargestForces forces;
  const double hanging = run.positions("flap").row(0).maxCoeff();
  double farthest = hanging;
  run.each_step([&](const SceneRun& now) {
    forces.see(now);
    farthest = std::max(farthest, now.positions("flap").row(0).maxCoeff());
  });
  run.run();
  EXPECT_GT(farthest, hanging + 0.03);  // the flap swings out
  EXPECT_GT(forces.between(run.body("cloth"), run.body("box")), 0.01);
  EXPECT_GT(run.motion("box").center.x(), 0.4);
}

TEST(SlowFlexibleScenes, TheSphereIsPressedAsHertzSays) {
  SceneRun run("flexible/hertz.json");
  run.run();
  const double force = 4 * run.contact_force("sphere").y(), R = 1, stiffness = 1e6 / (1 - 0.3 * 0.3);
  const double a = std::cbrt(3 * force * R / (4 * stiffness)),
               peak = 3 * force / (2 * std::numbers::pi * a * a);
  const ContactPressure contact = run.simulation().contact_pressure();
  const Body& sphere = run.world().bodies[run.body("sphere")];
  const Vectors places = vertex_positions(run.world().collision, run.world().state.position);
  double middle = 0;
  Matrix2 square =
      Matrix2::Zero();  // the line that p^2 falls along with r^2, where the pressure is not small
  Vector2 right = Vector2::Zero();
  for (int v = sphere.first_vertex; v < sphere.first_vertex + sphere.vertex_count; ++v) {
    const double r = std::hypot(places(0, v), places(2, v));
    if (r < 1e-9 && places(1, v) < 0.01) middle = contact.pressure[v];
    if (r > 0.9 * a || places(1, v) > 0.01) continue;
    square += Vector2(1, r * r) * Vector2(1, r * r).transpose();
    right += std::pow(contact.pressure[v], 2) * Vector2(1, r * r);
  }
  const Vector2 line = square.inverse() * right;
  const double reach = std::sqrt(-line[0] / line[1]);
  EXPECT_NEAR(middle, peak, 0.02 * peak);
  EXPECT_NEAR(reach, a, 0.02 * a);
}

TEST(FlexibleScenes, TheEarsOfTheHareGoDown) {
  SceneRun run("flexible/hare.json");
  const double top = run.highest("hare");
  run.run(2);
  EXPECT_LT(run.highest("hare"), top - 1e-4);
  EXPECT_LT(run.motion("hare").velocity.y(), 0);
}

TEST(FlexibleScenes, TheLidOfTheTeapotRises) {
  SceneRun run("flexible/teapot.json");
  const double top = run.highest("teapot");
  run.run(2);
  EXPECT_GT(run.highest("teapot"), top + 1e-4);
}

/// How often the scene's force is found in the reaction of what is held, at a step when all has come to rest.
double share_of_force_in_reaction(const std::string& scene, std::int64_t step, double force) {
  SceneRun run(scene);
  run.run(static_cast<int>(step));
  const double pressed = run.simulation().reactions().at(0).wrench.force.y() / force;
  run.run();
  EXPECT_NEAR(run.simulation().reactions().at(0).wrench.force.y() / force, 0, 0.001) << scene;
  return pressed;
}

TEST(SlowFlexibleScenes, TheHareAndTheTeapotBearTheirLoadsAndLetGo) {
  EXPECT_NEAR(share_of_force_in_reaction("flexible/hare.json", 100, -35000), -1, 0.001);
  EXPECT_NEAR(share_of_force_in_reaction("flexible/teapot.json", 50, 3000), -1, 0.01);
}

TEST(SlowFlexibleScenes, TheTyreClimbsTheKerb) {
  SceneRun run("flexible/tyre_kerb.json");
  run.run();
  EXPECT_GT(run.motion("tyre").center.x(), 0.4);
  EXPECT_GT(run.motion("tyre").velocity.x(), 0.5);
}

TEST(SlowFlexibleScenes, TheBoltTheSleeveAndTheNutClampWithOneForce) {
  SceneRun run("flexible/bolt_preload.json");
  run.run();
  const double clamp = std::abs(run.contact_force("nut").y());
  EXPECT_NEAR(clamp, 0, 1);  // the bolt pulls it as the sleeve pushes
  double sleeve = 0;
  for (const ContactPairForce& pair : contact_pair_forces(run.simulation().contacts())) {
    const int a = run.body("bolt"), b = run.body("sleeve");
    if ((pair.body_a == a && pair.body_b == b) || (pair.body_a == b && pair.body_b == a))
      sleeve = std::abs(pair.wrench.force.y());
  }
  EXPECT_NEAR(sleeve, 1050, 150);
}

TEST(SlowFlexibleScenes, TheSealIsPressedEverHarder) {
  SceneRun run("flexible/seal.json");
  std::vector<double> force;
  run.each_step([&](const SceneRun& now) { force.push_back(-now.contact_force("lid").y()); });
  run.run();
  ASSERT_EQ(force.size(), 8U);
  for (std::size_t i = 1; i < force.size(); ++i) EXPECT_GT(std::abs(force[i]), std::abs(force[i - 1]));
}

TEST(FlexibleScenes, TheBeamOfQuadraticElementsSags) {
  SceneRun run("flexible/beam_sag_t10.json");
  const double start = run.lowest("beam");
  double deepest = start;
  run.each_step([&](const SceneRun& now) { deepest = std::min(deepest, now.lowest("beam")); });
  run.run();
  EXPECT_NEAR(start - deepest, 2 * 4e-4, 2e-4);
}

TEST(FlexibleScenes, TheShellGoesDownAlikeAtBothCorners) {
  SceneRun run("flexible/beam_sag_3443.json");
  run.run(100);
  const Vectors now = run.positions("shell");
  const Vectors& rest = run.world().rest;
  std::vector<double> down;
  for (int k = 0; k < run.world().bodies[0].point_count; ++k) {
    if (rest(0, k) > 1.999 && std::abs(rest(2, k)) > 0.999) down.push_back(now(1, k));
  }
  ASSERT_EQ(down.size(), 2U);
  EXPECT_LT(down[0], -5e-4);
  EXPECT_NEAR(down[0], down[1], 1e-6);
}

/// The deflection of the free end of a beam that has no other end, by the theory of slender beams that bend little: a
/// force F acts from time 0 on, and no longer from `released` on. 2 F / (3 sqrt(pi) E I) (4 E I / (rho A))^(3/4) t^(3/2).
double endless_beam(double force, double width, double height, double time, double released) {
  const double bending = 7e8 * width * std::pow(height, 3) / 12, mass = 2700 * width * height;
  const double factor =
      2 * force / (3 * std::sqrt(std::numbers::pi) * bending) * std::pow(4 * bending / mass, 0.75);
  return factor * (std::pow(time, 1.5) - std::pow(std::max(0.0, time - released), 1.5));
}

/// How far down the shell's free edge is, as a mean.
double edge_of_shell(const SceneRun& run) {
  const Vectors now = run.positions("shell");
  double sum = 0;
  int count = 0;
  for (int k = 0; k < run.world().bodies[0].point_count; ++k) {
    if (run.world().rest(0, k) < 1.999) continue;
    sum -= now(1, k);
    ++count;
  }
  return sum / count;
}

TEST(FlexibleScenes, TheEdgeOfTheShellGoesDownAsAnEndlessBeamAndOnByItsInertia) {
  // The bending wave has not come back from the wall within the 0.1 s.
  SceneRun run("flexible/beam_sag_3443.json");
  run.check_every(100);
  for (const int part : {0, 1}) {
    run.run(100);
    const double expected = endless_beam(500, 2, 0.1, 0.05 * (part + 1), 0.05);
    EXPECT_NEAR(edge_of_shell(run), expected, 0.06 * expected) << part;
  }
}

TEST(FlexibleScenes, TheEndOfTheChainMovesAsThatOfAnEndlessBeam) {
  // A hundredth of the force, for which the theory is: with all of it the end turns by a quarter of a right angle.
  SceneRun run(
      "flexible/beam_sag_3243.json",
      {"/bodies/0/force/values=[[0, -50, 0], [0, 0, 0]]", "/bodies/0/shape/beam/elements=200",
       "/bodies/0/shape/beam/to=[20, 0, 0]", "/bodies/0/force/selection/plane=[[19.99, 0, 0], [1, 0, 0]]"});
  run.check_every(50);
  for (const int steps : {50, 100}) {
    run.run(50);
    const double expected = endless_beam(50, 0.1, 0.1, 1e-3 * steps, 0.1);
    EXPECT_NEAR(-run.positions("chain")(1, 200), expected, 0.05 * expected) << steps;
  }
}

TEST(FlexibleScenes, TheBeamOfQuadraticElementsSwingsAboutItsRest) {
  // A force that is there at once takes it twice as far as one that comes slowly, where it swings as one: nearly.
  SceneRun resting("flexible/beam_sag_t10.json", {"/time/integrator=static", "/time/steps=1"});
  SceneRun swinging("flexible/beam_sag_t10.json",
                    {"/time/integrator=newmark", "/time/step=0.0005", "/time/steps=100"});
  const double start = resting.lowest("beam");
  resting.run();
  swinging.check_every(100);
  double deepest = start;
  swinging.each_step([&](const SceneRun& now) { deepest = std::min(deepest, now.lowest("beam")); });
  swinging.run();
  EXPECT_NEAR((start - deepest) / (start - resting.lowest("beam")), 2, 0.15);
}

TEST(FlexibleScenes, AWaveRunsIntoTheChain) {
  SceneRun run("flexible/beam_sag_3243.json");
  run.run(20);
  const Vectors now = run.positions("chain");
  EXPECT_LT(now(1, 1000), -1e-3);
  EXPECT_NEAR(now(1, 500), 0, 1e-6);
}

TEST(HighOrderScenes, TheBallJumpsOff) {
  SceneRun run("high-order/bouncing_ball.json");
  run.check_every(20);
  double lowest = 1;
  run.each_step([&](const SceneRun& now) { lowest = std::min(lowest, now.lowest("ball")); });
  run.run();
  EXPECT_LT(lowest, 2e-3);
  EXPECT_GT(run.lowest("ball"), 0.02);
}

TEST(HighOrderScenes, TheNutRunsDownTheBolt) {
  SceneRun run("high-order/nut_and_bolt.json");
  const double start = run.lowest("nut");
  run.check_every(10);
  run.run();
  EXPECT_LT(run.lowest("nut"), start - 1e-3);
}

TEST(HighOrderScenes, TheRollersDrawTheRingThrough) {
  SceneRun run("high-order/rollers.json");
  run.check_every(5);
  run.run();
  EXPECT_LT(run.lowest("ring"), -0.2);
}

TEST(SlowHighOrderScenes, TheBeamLiesOnTheEdge) {
  SceneRun run("high-order/bending_beam.json");
  run.run();
  EXPECT_LT(run.lowest("beam"), -1);
  EXPECT_GT(run.contact_force("beam").norm(), 100);
}

TEST(SlowHighOrderScenes, TheMatTurnsIntoARope) {
  SceneRun run("high-order/mat_twist.json");
  run.check_every(2);
  run.run();
  EXPECT_GT(run.most_contacts(), 20);  // with itself
}

TEST(SlowHighOrderScenes, TheLatticeIsCrushed) {
  SceneRun run("high-order/microstructure.json");
  const double start = run.highest("lattice");
  run.run();
  EXPECT_LT(run.highest("lattice"), start - 1e-3);
}

TEST(SlowHighOrderScenes, TheCompactorPressesItsBodiesIntoEachOther) {
  SceneRun run("high-order/trash_compactor.json");
  run.check_every(2);
  run.run();
  for (const char* name : {"ring", "ball", "block"}) EXPECT_GT(run.contact_force(name).norm(), 0.01) << name;
}

}  // namespace
}  // namespace bulwark
