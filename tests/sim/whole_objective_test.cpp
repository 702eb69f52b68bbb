// The objective of a step in a scene with everything in it, as a function: its gradient and its exact Hessian
// against finite differences, and that its parts give the same bits whenever they are asked for.
#include "sim/jointed_world.hpp"

#include <bulwark/sim/derive.hpp>
#include <bulwark/sim/step_solver.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace bulwark {
namespace {

BodyOptions placed(const std::string& name, const Vector3& position, const Vector3& turn = Vector3::Zero()) {
  BodyOptions options = named(name, position);
  if (!turn.isZero(0))
    options.pose.rotation = Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix();
  return options;
}

/// Soft, affine and rigid boxes on a plane and on each other, cloth and a rod over them, particles beside;
/// joints of all kinds of equations, with ranges, springs, dampers and a motor; everything damped.
World everything() {
  World world;
  constexpr double gap = 0.006, side = 0.3;
  const double low = 0.5 * side + gap, high = 1.5 * side + 2 * gap;
  ElasticMaterial rubber;
  rubber.young = 1e5;
  rubber.rayleigh_damping = 1e-3;
  rubber.shear_viscosity = rubber.bulk_viscosity = 10;
  const int soft = add_deformable(world, solid_mesh(BoxShape{{side, side, side}}), rubber,
                                  placed("soft", {0, low, 0}, {0, 0.01, 0}));
  ElasticMaterial corotational;
  corotational.model = ElasticModel::fixed_corotational;
  corotational.young = 1e5;
  BodyOptions sliding = placed("soft above", {0.006, high, 0.004}, {0, -0.01, 0});
  sliding.velocity = {0.3, 0, 0};
  add_deformable(world, solid_mesh(BoxShape{{side, side, side}}), corotational, sliding,
                 MassKind::consistent);

  // Less stiff than usual: its rounding would hide what the others do.
  StiffMaterial stiff;
  stiff.stiffness = 1e6;
  const SurfaceMesh box = surface_mesh(BoxShape{{side, side, side}});
  const int affine = add_affine(world, box, stiff, placed("affine", {1, low, 0}, {0, 0.01, 0}));
  sliding = placed("rigid above", {1.004, high, 0.006}, {0, -0.01, 0});
  sliding.velocity = {0, 0, 0.3};
  add_rigid(world, box, stiff, sliding);
  const int door = add_affine(world, box, stiff, placed("door", {1.5, low, 0}));
  const int rigid = add_rigid(world, box, stiff, placed("rigid", {1, low, 1}, {0, 0.02, 0}));
  sliding = placed("rigid on rigid", {1.005, high, 1.004});
  sliding.velocity = {0.2, 0, 0.1};
  add_rigid(world, box, stiff, sliding);
  const int arm = add_rigid(world, box, stiff, placed("arm", {1.5, low, 1.02}));
  const int rail = add_rigid(world, box, stiff, placed("rail", {0.5, low, 1}));
  hold_axes(world, rail, {false, false, false}, {true, false, true});
  const int beside =
      add_affine(world, box, stiff, placed("beside", {1.5 + side + gap, low, 0.02}, {0, 0.02, 0}));

  ClothMaterial cloth;
  cloth.thickness = 2e-3;
  cloth.bending_young = 1e10;
  cloth.strain_limit = 1.05;
  cloth.rayleigh_damping = 1e-3;
  const int sheet = add_shell(
      world, surface_mesh(GridShape{{0.4, 0.4}, {3, 3}}), cloth,
      placed("sheet", {0.05, high + 0.5 * side + gap + 0.5 * cloth.thickness, 0.03}, {0.01, 0, 0.02}));
  RodMaterial cord;
  cord.radius = 5e-3;
  cord.bending_young = cord.twisting_shear = 1e10;
  cord.rayleigh_damping = 1e-3;
  const int rod = add_rod(world, surface_mesh(LineShape{{0.9, 0, 0.9}, {1.2, 0.01, 1.1}, 4}), cord,
                          placed("rod", {0, high + 0.5 * side + gap + cord.radius, 0}));
  // Round ones that roll, on the ground and on each other.
  sliding = placed("ball", {2.4, 0.15 + gap, 0.6});
  sliding.velocity = {0.3, 0, 0.1};
  sliding.rolling_resistance = 0.01;
  sliding.spinning_resistance = 0.02;
  add_rigid(world, round_surface(SphereShape{0.15}), stiff, sliding);
  sliding = placed("capsule", {2.4, 0.3 + 0.08 + 2 * gap, 0.6}, {1.5, 0, 0.4});
  sliding.angular_velocity = {1, 2, 3};
  add_affine(world, round_surface(CapsuleShape{0.08, 0.4}), stiff, sliding);
  add_particles(world, surface_mesh(LineShape{{0.2, 0, 0.9}, {0.4, 0.02, 0.8}, 2}), 0.2, {1000, 1e-3},
                placed("particles", {0, gap, 0}));
  // Bodies that overlap.
  const int pad =
      add_deformable(world, solid_mesh(BoxShape{{side, side, side}}), rubber, placed("pad", {4, 0.3, 0}));
  sliding = placed("on pad", {4.03, 0.3 + 0.8 * side, 0.02}, {0.05, 0.1, 0});
  sliding.velocity = {0.2, -0.1, 0};
  const int on_pad = add_rigid(world, box, stiff, sliding);
  world.model_pairs[{pad, on_pad}] = ContactModelKind::hydroelastic;
  const int slab =
      add_deformable(world, solid_mesh(BoxShape{{side, side, side}}), rubber, placed("slab", {5, 0.3, 0}));
  sliding.name = "on slab";
  sliding.pose.position = {5.03, 0.3 + 0.97 * side, 0.02};
  const int on_slab = add_rigid(world, box, stiff, sliding);
  world.model_pairs[{slab, on_slab}] = ContactModelKind::patch_penalty;
  add_plane(world, {0, 0, 0}, {0, 1, 0}, named("ground", {0, 0, 0}));
  hold(world, soft, SelectNodes{{0}});
  hold(world, sheet, SelectNodes{{0}});
  hold(world, rod, SelectNodes{{0, 1}});
  add_force(world, sheet, SelectAll{}, Table::constant({0, 0, 0.05}));
  add_torque(world, arm, Table::constant({0.1, 0.2, 0.1}));

  JointOptions hinge = joint("hinge", JointKind::hinge, affine, door, {1.25, low, 0});
  hinge.range = JointRange{-0.05, 0.5};
  hinge.range_width = 0.3;
  hinge.damping = 1;
  hinge.restitution_damping = 1e-3;
  const int driven = add_joint(world, hinge);
  add_joint(world, motor(driven, MotorLaw::speed, 0.5));
  JointOptions cone = joint("cone", JointKind::cone_twist, rigid, arm, {1.25, low, 1});
  cone.bend_y = cone.bend_z = cone.twist = JointRange{-0.4, 0.4};
  add_joint(world, cone);
  JointOptions slider = joint("slider", JointKind::slider, rail, world_body, {0.5, low, 1}, Vector3::UnitX());
  slider.turning = Turning::freely;
  add_joint(world, slider);
  JointOptions spring = joint("spring", JointKind::spring, soft, rail, {0, low, 0.1});
  spring.second_point = Vector3(0.5, low, 0.9);
  spring.stiffness = 100;
  spring.rest = 0.5;
  spring.damping = 1;
  add_joint(world, spring);
  JointOptions distance = joint("distance", JointKind::distance, beside, world_body, {1.8, 0.3, 0});
  distance.second_point = Vector3(2.5, 0.5, 0.1);
  add_joint(world, distance);
  update_contact_models(world);
  return world;
}

/// A finite difference of fourth order in the step h.
template <class Function>
auto difference(Function&& f, double h) {
  using Value = decltype(f(h));
  return Value((8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h));
}

MatrixX dense(const BlockMatrix& m) {
  MatrixX result = MatrixX::Zero(3 * m.rows, 3 * m.rows);
  for (int i = 0; i < m.rows; ++i) {
    for (int k = m.row_start[i]; k < m.row_start[i + 1]; ++k) {
      const int j = m.column[k];
      result.block<3, 3>(3 * i, 3 * j) = m.value[k];
      if (i != j) result.block<3, 3>(3 * j, 3 * i) = m.value[k].transpose();
    }
  }
  return result;
}

/// The objective of some step, at a place near its minimum where every term has something to say.
class WholeObjective : public testing::Test {
 protected:
  WholeObjective() {
    settings.contact.distance = {0.02, false};
    settings.contact.friction = 0.3;
    settings.contact.static_speed = {0.05, false};
    settings.contact.restitution_damping = 1e-3;
    settings.contact.hydroelastic.modulus = 1e4;
    settings.contact.patch_penalty.young = 1e5;
    settings.time.step = h;
    derived = derive(world, settings);
    solver = std::make_unique<StepSolver>(world, settings, derived, profile);
    solver->find_close_bodies();
    const auto integrator = make_integrator(settings.time.integrator);
    for (int step = 1; step <= 6; ++step) {
      StepReport report;
      EXPECT_TRUE(solver->solve(h, step * h, *integrator, report)) << step;
      world.state.time = step * h;
    }
    Objective& objective = solver->objective();
    objective.gradient(world.state.position);
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    const VectorX away =
        VectorX::NullaryExpr(3 * objective.coordinates().unknowns(), [&](auto...) { return normal(random); });
    q = end_of(world.state.position, 1e-4 * away);
    objective.prepare(q);
    gradient = objective.gradient(q);
    for (int i = 0; i < gradient.size(); ++i) {
      // What is held has an unknown all the same where some of its axes are free.
      if (!objective.coordinates().path(q, VectorX::Unit(gradient.size(), i)).step.isZero(0))
        free.push_back(i);
    }
  }

  /// Where a step of the unknowns from `start`, where the objective is linearised, ends.
  Vectors end_of(const Vectors& start, const VectorX& unknowns) {
    Vectors end;
    double part = 1;
    EXPECT_TRUE(
        solver->objective().reach(solver->objective().coordinates().path(start, unknowns), 0, part, end));
    EXPECT_EQ(part, 1);
    return end;
  }
  Vectors end_of(int unknown, double size) {
    return end_of(q, size * VectorX::Unit(gradient.size(), unknown));
  }

  /// The gradient in the controls.
  Vectors control_gradient(const Vectors& at) {
    Objective& objective = solver->objective();
    objective.prepare(at);
    return objective.inertia_gradient(at) + objective.force_gradient(at);
  }

  static constexpr double h = 0.01;
  World world = everything();
  Settings settings;
  Derived derived;
  Profile profile;
  std::unique_ptr<StepSolver> solver;
  Vectors q;
  VectorX gradient;
  std::vector<int> free;  ///< the unknowns that move something
};

TEST_F(WholeObjective, HasEverythingInIt) {
  const std::vector<char> stiff_body = [&] {
    std::vector<char> flags(world.bodies.size(), 0);
    for (const StiffBody& body : world.stiff) flags[body.body] = 1;
    return flags;
  }();
  std::array<int, 3> by_stiff_sides = {0, 0, 0};
  int mollified = 0, planes = 0;
  for (const ContactPair& c : solver->contact()->contacts()) {
    const int a = world.collision.vertex_body[c.vertex[0]], b = world.collision.vertex_body[c.second_side()];
    ++by_stiff_sides[stiff_body[a] + stiff_body[b]];
    mollified += c.mollified;
    planes += c.kind == PairKind::point_plane;
  }
  for (const int count : by_stiff_sides) EXPECT_GT(count, 4);
  EXPECT_GE(mollified, 2);
  EXPECT_GT(planes, 10);
  int sticks = 0, slides = 0;
  const Vectors moved = solver->friction()->vertex_displacement(q);
  for (const Friction::Lagged& pair : solver->friction()->pairs()) {
    const double part = solver->friction()->force(pair, q, moved).norm() / pair.pair.strength;
    ++(part < 0.99 ? sticks : slides);
  }
  EXPECT_GT(sticks, 4);
  EXPECT_GT(slides, 4);
  EXPECT_FALSE(solver->contact_damping().empty());
  ASSERT_EQ(solver->contact_models().size(), 2u);
  for (const auto& model : solver->contact_models()) EXPECT_GT(model->contacts().size(), 0u);
  EXPECT_GT(world.joint_rows.size(), 3u);
  EXPECT_GT(world.joint_drives.size(), 6u);
}

TEST_F(WholeObjective, GradientIsTheDerivativeOfTheEnergy) {
  constexpr double step = 1e-6;
  const Objective& objective = solver->objective();
  // What rounding of the energy is worth.
  const double rounding = 100 * std::numeric_limits<double>::epsilon() * std::abs(objective.energy(q)) / step;
  for (const int i : free) {
    const double slope = difference([&](double s) { return objective.energy(end_of(i, s)); }, step);
    EXPECT_NEAR(gradient[i], slope, 1e-5 * std::abs(gradient[i]) + rounding) << i;
  }
}

TEST_F(WholeObjective, ExactHessianIsTheDerivativeOfTheGradient) {
  Objective& objective = solver->objective();
  constexpr double step = 2e-7, path_step = 1e-4;
  const double rounding = 100 * std::numeric_limits<double>::epsilon() * control_gradient(q).norm() / step;
  MatrixX expected = MatrixX::Zero(gradient.size(), gradient.size());
  for (const int i : free) {
    // In the unknowns at q: the gradient in the controls, times how they move there.
    expected.col(i) = difference(
        [&](double s) {
          const Vectors G = control_gradient(end_of(i, s));
          VectorX g = VectorX::Zero(gradient.size());
          for (const int j : free) {
            const Vectors moved = difference(
                [&](double r) {
                  VectorX there = s * VectorX::Unit(gradient.size(), i);
                  there[j] += r;
                  return end_of(q, there);
                },
                path_step);
            g[j] = G.cwiseProduct(moved).sum();
          }
          return g;
        },
        step);
  }
  objective.prepare(q);
  // Each column against its largest entry; columns that are wrong.
  auto wrong = [&](const HessianModel& model) {
    const MatrixX hessian = dense(objective.hessian(q, model));
    EXPECT_LT((hessian - hessian.transpose()).norm(), 1e-12 * hessian.norm());
    std::vector<int> columns;
    for (const int i : free) {
      double error = 0;
      for (const int j : free) error = std::max(error, std::abs(hessian(j, i) - expected(j, i)));
      if (error > 1e-5 * hessian.col(i).cwiseAbs().maxCoeff() + rounding) columns.push_back(i);
    }
    return columns;
  };
  EXPECT_EQ(wrong(HessianModel::exact()), std::vector<int>());
  // Each of the ways in which other models differ shows.
  EXPECT_GT(wrong(HessianModel::projected(Psd::clamp)).size(), 10u);
  EXPECT_GT(wrong(HessianModel::quick(Psd::none)).size(), 10u);
  for (const double part : {2e-2, 0.0}) {
    const Vectors at = end_of(q, -part * gradient.normalized());
    objective.prepare(at);
    objective.begin_iteration(at, Psd::none);
  }
  EXPECT_GT(wrong(HessianModel::thorough(Psd::none)).size(), 10u);
  EXPECT_EQ(wrong(HessianModel::exact()), std::vector<int>());
}

TEST_F(WholeObjective, OtherModelsDifferAndTheProjectedOnesAreSemiDefinite) {
  Objective& objective = solver->objective();
  objective.prepare(q);
  const MatrixX exact = dense(objective.hessian(q, HessianModel::exact()));
  for (const HessianModel& model : {HessianModel::projected(Psd::clamp), HessianModel::quick(Psd::clamp),
                                    HessianModel::thorough(Psd::clamp)}) {
    const MatrixX other = dense(objective.hessian(q, model));
    EXPECT_FALSE(other == exact);
    const Eigen::LDLT<MatrixX> factors(other);
    EXPECT_TRUE(factors.isPositive());
  }
}

TEST_F(WholeObjective, GivesTheSameBitsWheneverItIsAskedFor) {
  Objective& objective = solver->objective();
  const std::vector<HessianModel> models = {HessianModel::exact(), HessianModel::projected(Psd::clamp),
                                            HessianModel::quick(Psd::clamp),
                                            HessianModel::thorough(Psd::abs)};
  const Vectors elsewhere = end_of(q, -2e-4 * gradient.normalized());
  // Both have been iterates, so that friction knows of a turn.
  for (const Vectors& at : {elsewhere, q}) {
    objective.prepare(at);
    objective.begin_iteration(at, Psd::clamp);
  }
  const double energy = objective.energy(q), energy_elsewhere = objective.energy(elsewhere);
  objective.gradient(q);
  std::vector<MatrixX> hessians;
  for (const HessianModel& model : models) hessians.push_back(dense(objective.hessian(q, model)));

  std::mt19937 random(8);
  for (int call = 0; call < 200; ++call) {
    objective.prepare(q);
    switch (random() % 7) {
      case 0:
        EXPECT_EQ(objective.energy(q), energy) << call;
        break;
      case 1:
        EXPECT_EQ(objective.energy(elsewhere), energy_elsewhere) << call;
        break;
      case 2:
        EXPECT_TRUE(objective.gradient(q) == gradient) << call;
        break;
      case 3:
        objective.largest_step({q, elsewhere - q, {}});
        objective.step_measure(q, elsewhere - q);
        break;
      case 4:
        objective.prepare(elsewhere);
        objective.gradient(elsewhere);
        objective.hessian(elsewhere, models[random() % models.size()]);
        objective.prepare(q);
        objective.gradient(q);
        break;
      default: {
        const std::size_t m = random() % models.size();
        EXPECT_TRUE(dense(objective.hessian(q, models[m])) == hessians[m]) << call << " model " << m;
      }
    }
  }
}

TEST_F(WholeObjective, OnlyTheSolversModelsDependOnTheIteratesThatItNoted) {
  Objective& objective = solver->objective();
  const MatrixX exact = dense(objective.hessian(q, HessianModel::exact()));
  for (int iteration = 0; iteration < 100; ++iteration) {
    const Vectors at = iteration % 2 == 0 ? end_of(q, 2e-3 * gradient.normalized()) : q;
    objective.prepare(at);
    objective.begin_iteration(at, Psd::clamp);
  }
  objective.prepare(q);
  EXPECT_TRUE(objective.gradient(q) == gradient);
  EXPECT_TRUE(dense(objective.hessian(q, HessianModel::exact())) == exact);
  EXPECT_EQ(objective.begin_iteration(q, Psd::clamp).contact, HessianModel::Contact::whole);
}

}  // namespace
}  // namespace bulwark
