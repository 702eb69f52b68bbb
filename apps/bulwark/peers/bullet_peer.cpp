#include "bullet_peer.hpp"

#include "body_surfaces.hpp"
#include "convex_form.hpp"
#include "round_form.hpp"

#include <bulwark/base/error.hpp>
#include <bulwark/geometry/mass_moments.hpp>
#include <bulwark/math/jacobi_eigen.hpp>

#include <BulletCollision/CollisionDispatch/btManifoldResult.h>
#include <btBulletDynamicsCommon.h>
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>

namespace bulwark::app {
namespace {

btVector3 to_bullet(const Vector3& v) {
  return {v.x(), v.y(), v.z()};
}

Vector3 from_bullet(const btVector3& v) {
  return {v.x(), v.y(), v.z()};
}

btMatrix3x3 basis_to_bullet(const Matrix3& m) {
  return {m(0, 0), m(0, 1), m(0, 2), m(1, 0), m(1, 1), m(1, 2), m(2, 0), m(2, 1), m(2, 2)};
}

Matrix3 from_bullet(const btMatrix3x3& m) {
  Matrix3 result;
  for (int i = 0; i < 3; ++i) result.row(i) = from_bullet(m[i]).transpose();
  return result;
}

btScalar smaller_friction(const btCollisionObject* a, const btCollisionObject* b) {
  return std::min(a->getFriction(), b->getFriction());
}

/// The world's rules about which bodies collide.
struct CollisionRules : btOverlapFilterCallback {
  const CollisionMesh* mesh = nullptr;
  bool needBroadphaseCollision(btBroadphaseProxy* a, btBroadphaseProxy* b) const override {
    const auto body = [](const btBroadphaseProxy* proxy) {
      return static_cast<const btCollisionObject*>(proxy->m_clientObject)->getUserIndex();
    };
    return mesh->may_collide(body(a), body(b));
  }
};

void require_bullet_can(const World& world) {
  if (!world.collision.unguarded_pairs.empty())
    throw InputError("contact", "contact models are not passed to Bullet", "leave all pairs to the barrier");
  if (!world.friction_pairs.empty()) {
    throw InputError("contact", "friction by pairs is not passed to Bullet",
                     "give bodies a friction of their own");
  }
  for (const Body& body : world.bodies) {
    const std::string place = fmt::format("body '{}'", body.name);
    const bool stiff = body.is_stiff() || body.is_obstacle();
    if (!stiff) throw InputError(place, "soft bodies are not passed to Bullet");
  }
  for (const Script& script : world.scripts) {
    if (!script.motion.is_still()) throw InputError("motion", "scripted motion is not passed to Bullet");
  }
}

/// A sphere or a capsule about the frame's origin, which is its center.
std::unique_ptr<btCollisionShape> round_shape(const RoundForm& form, const Matrix3& axes, double skin) {
  const double radius = form.radius + skin;
  if (form.is_sphere()) return std::make_unique<btSphereShape>(radius);
  Eigen::Index along = 0;
  (axes.transpose() * form.half_length).cwiseAbs().maxCoeff(&along);
  const double length = 2 * form.half_length.norm();
  if (along == 0) return std::make_unique<btCapsuleShapeX>(radius, length);
  if (along == 1) return std::make_unique<btCapsuleShape>(radius, length);
  return std::make_unique<btCapsuleShapeZ>(radius, length);
}

double margin_of(const ConvexForm& form, double skin) {
  return std::min<double>({CONVEX_DISTANCE_MARGIN, 0.1 * form.inner_radius, 2 * skin});
}

/// The shape about the frame's origin, along its axes.
std::unique_ptr<btCollisionShape> convex_shape(const ConvexForm& form, const Vectors& vertices,
                                               const Vector3& origin, const Matrix3& axes,
                                               BulletShapes shapes, double skin) {
  const double margin = margin_of(form, skin);
  if (shapes == BulletShapes::primitives && form.kind == ConvexForm::Kind::ball) {
    return std::make_unique<btSphereShape>(form.outer_radius + skin);
  }
  if (shapes == BulletShapes::primitives && form.kind == ConvexForm::Kind::box) {
    auto box = std::make_unique<btBoxShape>(to_bullet(form.half_sides + Vector3::Constant(skin)));
    box->setMargin(margin);
    return box;
  }
  auto hull = std::make_unique<btConvexHullShape>();
  const Vectors inner =
      axes.transpose() * (shrunk_vertices(form, vertices, margin - skin).colwise() - origin);
  for (Eigen::Index v = 0; v < inner.cols(); ++v) hull->addPoint(to_bullet(inner.col(v)), false);
  hull->setMargin(margin);
  hull->recalcLocalAabb();
  return hull;
}

}  // namespace

struct BulletPeer::Impl {
  struct Mover {
    int body = 0;
    Vectors local;  ///< the body's vertices in its frame
    btRigidBody* rigid = nullptr;
  };

  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broad_phase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld dynamics{&dispatcher, &broad_phase, &solver, &configuration};
  CollisionRules rules;
  std::vector<std::unique_ptr<btStridingMeshInterface>> meshes;
  std::vector<std::unique_ptr<btCollisionShape>> shapes;
  std::vector<std::unique_ptr<btRigidBody>> bodies;
  std::vector<std::unique_ptr<btTypedConstraint>> joints;
  std::vector<Mover> movers;
  World world;
  Vectors positions;  ///< of all collision vertices at the start
  double skin = 0;

  ~Impl() {
    for (auto& joint : joints) dynamics.removeConstraint(joint.get());
    for (auto& body : bodies) dynamics.removeRigidBody(body.get());
  }

  btRigidBody& add(int body, std::unique_ptr<btCollisionShape> shape, double mass, const btVector3& inertia,
                   const btTransform& frame, const Settings& settings) {
    shapes.push_back(std::move(shape));
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shapes.back().get(), inertia);
    info.m_startWorldTransform = frame;
    info.m_friction = world.bodies[body].friction.value_or(settings.contact.friction);
    bodies.push_back(std::make_unique<btRigidBody>(info));
    bodies.back()->setUserIndex(body);
    bodies.back()->setActivationState(DISABLE_DEACTIVATION);
    dynamics.addRigidBody(bodies.back().get());
    return *bodies.back();
  }

  void add_moving(const StiffBody& body, const SurfaceMesh& surface, const Settings& settings,
                  BulletShapes kind) {
    const bool held = world.scripted[body.first_control] != 0;
    const RigidMotion start = rigid_motion(world, body.body);
    const Matrix3 inertia = start.rotation * inertia_tensor(body.second_moment) * start.rotation.transpose();
    // Bullet keeps three moments of inertia: the body's frame must be along its principal axes.
    Matrix3 axes = sorted_eigen<3>(inertia).vectors;
    if (axes.determinant() < 0) axes.col(2) *= -1;
    std::unique_ptr<btCollisionShape> shape;
    if (const std::optional<RoundForm> round =
            round_form(surface, start.center, world.bodies[body.body].name)) {
      shape = round_shape(*round, axes, skin);
    } else {
      const ConvexForm form = convex_form(surface, start.center, world.bodies[body.body].name);
      if (form.kind == ConvexForm::Kind::box) axes = form.axes;
      shape = convex_shape(form, surface.vertices, start.center, axes, kind, skin);
    }
    const Vector3 moments = (axes.transpose() * inertia * axes).diagonal();
    btRigidBody& rigid = add(body.body, std::move(shape), held ? 0 : body.mass, to_bullet(moments),
                             btTransform(basis_to_bullet(axes), to_bullet(start.center)), settings);
    rigid.setLinearVelocity(to_bullet(start.velocity));
    rigid.setAngularVelocity(to_bullet(start.angular_velocity));
    movers.push_back({body.body, axes.transpose() * (surface.vertices.colwise() - start.center), &rigid});
  }

  btRigidBody& mover(int body) {
    if (body == world_body) return btTypedConstraint::getFixedBody();
    for (const Mover& m : movers) {
      if (m.body == body) return *m.rigid;
    }
    return btTypedConstraint::getFixedBody();
  }

  /// Hinges, points and welds, between the bodies as they stand. What is joined does not collide.
  void add_joint(const Joint& joint) {
    btRigidBody &a = mover(joint.body_a), &b = mover(joint.body_b);
    const Vector3 point = joint.point_a.at(world.state.position);
    auto frame_in = [&](const btRigidBody& body, const Matrix3& axes) {
      return body.getWorldTransform().inverse() * btTransform(basis_to_bullet(axes), to_bullet(point));
    };
    switch (joint.kind) {
      case JointKind::hinge: {
        const JointVectors v = world.joint_coordinates[joint.coordinate].vectors(world.state.position);
        Matrix3 axes;  // Bullet's hinges turn about z
        axes << v.u, v.v, v.u.cross(v.v);
        joints.push_back(std::make_unique<btHingeConstraint>(a, b, frame_in(a, axes), frame_in(b, axes)));
        break;
      }
      case JointKind::point:
        joints.push_back(
            std::make_unique<btPoint2PointConstraint>(a, b, frame_in(a, Matrix3::Identity()).getOrigin(),
                                                      frame_in(b, Matrix3::Identity()).getOrigin()));
        break;
      case JointKind::weld:
        joints.push_back(std::make_unique<btFixedConstraint>(a, b, frame_in(a, Matrix3::Identity()),
                                                             frame_in(b, Matrix3::Identity())));
        break;
      default:
        throw InputError(
            fmt::format("joint '{}'", joint.name),
            fmt::format("joints of kind {} are not passed to Bullet", joint_kind_name(joint.kind)));
    }
    dynamics.addConstraint(joints.back().get(), true);
  }

  void add_plane(const CollisionPlane& plane, const Settings& settings) {
    const Vector3 point = positions.col(plane.vertex);
    auto shape =
        std::make_unique<btStaticPlaneShape>(to_bullet(plane.normal), plane.normal.dot(point) + skin);
    add(plane.body, std::move(shape), 0, {0, 0, 0}, btTransform::getIdentity(), settings);
  }

  void add_obstacle(int body, const SurfaceMesh& surface, const Settings& settings) {
    auto mesh = std::make_unique<btTriangleMesh>();
    for (const Triangle& t : surface.triangles) {
      mesh->addTriangle(to_bullet(surface.vertices.col(t[0])), to_bullet(surface.vertices.col(t[1])),
                        to_bullet(surface.vertices.col(t[2])));
    }
    auto shape = std::make_unique<btBvhTriangleMeshShape>(mesh.get(), true);
    shape->setMargin(skin);
    meshes.push_back(std::move(mesh));
    add(body, std::move(shape), 0, {0, 0, 0}, btTransform::getIdentity(), settings);
  }
};

BulletPeer::BulletPeer(const World& world, const Settings& settings, BulletShapes shapes, double skin)
    : impl_(std::make_unique<Impl>()) {
  require_bullet_can(world);
  impl_->world = world;
  impl_->positions = bulwark::vertex_positions(world.collision, world.state.position);
  impl_->skin = skin;
  impl_->rules.mesh = &impl_->world.collision;
  impl_->dynamics.getPairCache()->setOverlapFilterCallback(&impl_->rules);
  impl_->dynamics.setGravity(to_bullet(settings.gravity));
  gCalculateCombinedFrictionCallback = smaller_friction;

  const std::vector<SurfaceMesh> surfaces = surfaces_by_body(world, impl_->positions);
  for (const StiffBody& body : world.stiff) impl_->add_moving(body, surfaces[body.body], settings, shapes);
  for (const Joint& joint : impl_->world.joints) impl_->add_joint(joint);
  for (const CollisionPlane& plane : world.collision.planes) impl_->add_plane(plane, settings);
  for (std::size_t b = 0; b < surfaces.size(); ++b) {
    if (world.bodies[b].is_obstacle() && !surfaces[b].triangles.empty()) {
      impl_->add_obstacle(static_cast<int>(b), surfaces[b], settings);
    }
  }
}

BulletPeer::~BulletPeer() = default;
BulletPeer::BulletPeer(BulletPeer&&) noexcept = default;

void BulletPeer::step(double duration) {
  constexpr int variable_step = 0;
  impl_->dynamics.stepSimulation(duration, variable_step);
}

Vectors BulletPeer::vertex_positions() const {
  Vectors positions = impl_->positions;
  for (const Impl::Mover& mover : impl_->movers) {
    const btTransform& pose = mover.rigid->getWorldTransform();
    positions.middleCols(impl_->world.bodies[mover.body].first_vertex, mover.local.cols()) =
        (from_bullet(pose.getBasis()) * mover.local).colwise() + from_bullet(pose.getOrigin());
  }
  return positions;
}

double BulletPeer::deepest_penetration() const {
  double deepest = 0;
  for (int m = 0; m < impl_->dispatcher.getNumManifolds(); ++m) {
    const btPersistentManifold& manifold = *impl_->dispatcher.getManifoldByIndexInternal(m);
    for (int p = 0; p < manifold.getNumContacts(); ++p) {
      deepest = std::max<double>(deepest, -manifold.getContactPoint(p).getDistance() - 2 * impl_->skin);
    }
  }
  return deepest;
}

std::optional<std::string> bullet_version() {
  return fmt::format("{}.{:02}", btGetVersion() / 100, btGetVersion() % 100);
}

}  // namespace bulwark::app
