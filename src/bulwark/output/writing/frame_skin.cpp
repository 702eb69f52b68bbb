#include <bulwark/geometry/planar_outline.hpp>
#include <bulwark/geometry/round_skin.hpp>
#include <bulwark/math/rotation.hpp>
#include <bulwark/output/writing/frame_skin.hpp>

#include <algorithm>
#include <map>
#include <numbers>

namespace bulwark {
namespace {

/// Rings of a tube's round tip, between the end of the tube and the tip's point.
constexpr int tip_rings = 2;

SurfaceMesh unit_disk(int around) {
  SurfaceMesh point;
  point.vertices = Vectors::Zero(3, 1);
  point.points = {0};
  point.radius = {1};
  return planar_skin(point, around);
}

/// The segments and points of one body, by its own numbers, at rest.
SurfaceMesh outline_at_rest(const World& world, const Body& body) {
  const CollisionMesh& mesh = world.collision;
  SurfaceMesh own;
  own.vertices = mesh.rest.middleCols(body.first_vertex, body.vertex_count);
  for (int v = 0; v < body.vertex_count; ++v) own.radius.push_back(mesh.radius_of(body.first_vertex + v));
  for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
    const Edge& edge = mesh.edges[e];
    if (mesh.vertex_body[edge[0]] != mesh.vertex_body[body.first_vertex]) continue;
    const EdgeRole role = mesh.role_of(static_cast<int>(e));
    if (role == EdgeRole::outline)
      own.edges.push_back({edge[0] - body.first_vertex, edge[1] - body.first_vertex});
    if (role == EdgeRole::free) own.points.push_back(edge[0] - body.first_vertex);
  }
  return own;
}

}  // namespace

FrameSkin::FrameSkin(const World& world) {
  const CollisionMesh& mesh = world.collision;
  std::vector<std::vector<Edge>> segments(world.bodies.size());
  std::vector<int> lone;
  std::size_t wires = 0;
  for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
    const Edge& edge = mesh.edges[e];
    const int body = mesh.vertex_body[edge[0]];
    const bool plate = world.thickness && mesh.bodies[body].obstacle;
    if (plate || world.bodies[body].skin.mesh || !(mesh.radius_of(edge[0]) > 0) ||
        mesh.role_of(static_cast<int>(e)) != EdgeRole::free)
      continue;
    if (is_lone_point(edge)) {
      lone.push_back(edge[0]);
    } else {
      segments[body].push_back(edge);
      ++wires;
    }
  }
  const int around_ball = lone.size() <= 1000 ? 16 : lone.size() <= 20'000 ? 8 : 5;
  ball_ = world.thickness ? unit_disk(2 * around_ball) : sphere_skin(1, around_ball);
  around_ = wires <= 20'000 ? 12 : 6;
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    if (world.bodies[b].skin.mesh) add_stiff(world, static_cast<int>(b));
    if (world.thickness && mesh.bodies[b].obstacle) add_plate(world, world.bodies[b]);
    if (!segments[b].empty()) add_tubes(world, world.bodies[b], segments[b]);
  }
  for (const int vertex : lone) add_ball(world, vertex);
}

void FrameSkin::add_stiff(const World& world, int body) {
  const SurfaceMesh& mesh = *world.bodies[body].skin.mesh;
  const int first = point_count();
  stiff_.push_back({body, first});
  for (const Triangle& t : mesh.triangles) triangles_.push_back({first + t[0], first + t[1], first + t[2]});
  add_points(body, static_cast<int>(mesh.vertices.cols()));
}

void FrameSkin::add_plate(const World& world, const Body& body) {
  if (body.vertex_count == 0) return;
  const SurfaceMesh outline = outline_at_rest(world, body), area = planar_skin(outline);
  if (area.triangles.empty()) return;
  const auto number = [&](const auto& x) { return std::complex<double>(x[0], x[1]); };
  int farthest = 0;
  (outline.vertices.colwise() - Vector3(outline.vertices.col(0))).colwise().squaredNorm().maxCoeff(&farthest);
  const auto from = number(outline.vertices.col(0)), along = number(outline.vertices.col(farthest)) - from;
  Plate plate{body.first_vertex, body.first_vertex + farthest, point_count(), {}};
  for (Eigen::Index k = 0; k < area.vertices.cols(); ++k) {
    const auto away = number(area.vertices.col(k)) - from;
    plate.shares.push_back(farthest > 0 ? away / along : away);
  }
  for (const Triangle& t : area.triangles)
    triangles_.push_back({plate.first_point + t[0], plate.first_point + t[1], plate.first_point + t[2]});
  add_points(world.collision.vertex_body[body.first_vertex], static_cast<int>(plate.shares.size()));
  plates_.push_back(std::move(plate));
}

void FrameSkin::set_plates(const Vectors& x, Vectors& result) const {
  for (const Plate& plate : plates_) {
    // Around a lone point the shares are lengths.
    const Vector3 from = x.col(plate.a), along = x.col(plate.b) - from;
    const std::complex<double> turn = plate.a == plate.b ? 1.0 : std::complex<double>(along.x(), along.y());
    for (std::size_t k = 0; k < plate.shares.size(); ++k) {
      const std::complex<double> away = turn * plate.shares[k];
      result.col(plate.first_point + static_cast<Eigen::Index>(k)) =
          from + Vector3(away.real(), away.imag(), 0);
    }
  }
}

void FrameSkin::add_ball(const World& world, int vertex) {
  const int first = point_count();
  balls_.push_back({vertex, first, world.collision.radius_of(vertex)});
  for (const Triangle& t : ball_.triangles) triangles_.push_back({first + t[0], first + t[1], first + t[2]});
  add_points(world.collision.vertex_body[vertex], static_cast<int>(ball_.vertices.cols()));
}

void FrameSkin::add_tubes(const World& world, const Body& body, const std::vector<Edge>& segments) {
  std::vector<std::vector<std::size_t>> at(body.vertex_count);
  for (std::size_t s = 0; s < segments.size(); ++s) {
    for (const int v : segments[s]) at[v - body.first_vertex].push_back(s);
  }
  std::vector<char> used(segments.size(), 0);
  const auto degree = [&](int vertex) { return at[vertex - body.first_vertex].size(); };
  // From a vertex on, as long as two segments meet.
  const auto follow = [&](int from, std::size_t segment) {
    Tube tube{{from}, 0, world.collision.radius_of(from), false};
    for (int vertex = from;;) {
      used[segment] = 1;
      vertex = segments[segment][0] == vertex ? segments[segment][1] : segments[segment][0];
      if (vertex == from) {
        tube.closed = true;
        break;
      }
      tube.vertices.push_back(vertex);
      if (degree(vertex) != 2) break;
      const std::vector<std::size_t>& both = at[vertex - body.first_vertex];
      segment = both[0] == segment ? both[1] : both[0];
      if (used[segment]) break;
    }
    add_tube(world, std::move(tube));
  };
  for (int v = body.first_vertex; v < body.first_vertex + body.vertex_count; ++v) {
    if (degree(v) == 2) continue;
    for (const std::size_t s : at[v - body.first_vertex]) {
      if (!used[s]) follow(v, s);
    }
  }
  for (std::size_t s = 0; s < segments.size(); ++s) {
    if (!used[s]) follow(segments[s][0], s);
  }
}

void FrameSkin::add_tube(const World& world, Tube tube) {
  tube.first_point = point_count();
  const int count = static_cast<int>(tube.vertices.size()) + (tube.closed ? 0 : 2 * tip_rings);
  const int tips = tube.closed ? 0 : 2;
  // Points: the rings one after the other, then the two tips.
  const auto at = [&](int ring, int k) { return tube.first_point + ring * around_ + k % around_; };
  for (int ring = 0; ring + 1 < count + (tube.closed ? 1 : 0); ++ring) {
    const int next = (ring + 1) % count;
    for (int k = 0; k < around_; ++k) {
      triangles_.push_back({at(ring, k), at(ring, k + 1), at(next, k + 1)});
      triangles_.push_back({at(ring, k), at(next, k + 1), at(next, k)});
    }
  }
  const int tip = tube.first_point + count * around_;
  for (int k = 0; k < around_ && tips > 0; ++k) {
    triangles_.push_back({tip, at(0, k + 1), at(0, k)});
    triangles_.push_back({tip + 1, at(count - 1, k), at(count - 1, k + 1)});
  }
  add_points(world.collision.vertex_body[tube.vertices[0]], count * around_ + tips);
  tubes_.push_back(std::move(tube));
}

/// p + A X, of the controls or of their velocities.
void FrameSkin::set_stiff(const World& world, const Vectors& controls, Vectors& result) const {
  for (const auto& [b, first] : stiff_) {
    const BodySkin& skin = world.bodies[b].skin;
    const StiffBody& body = world.stiff[world.bodies[b].stiff];
    const Matrix3 A = deformation(body, controls);
    result.middleCols(first, skin.vertex_count()) =
        ((A * skin.turn) * skin.mesh->vertices).colwise() + (center(body, controls) + A * skin.shift);
  }
}

Vectors FrameSkin::positions(const World& world, const Vectors& controls, const Vectors& x) const {
  Vectors result(3, point_count());
  set_stiff(world, controls, result);
  set_plates(x, result);
  for (const Ball& ball : balls_) {
    result.middleCols(ball.first_point, ball_.vertices.cols()) =
        (ball.radius * ball_.vertices).colwise() + Vector3(x.col(ball.vertex));
  }
  for (const Tube& tube : tubes_) {
    const int count = static_cast<int>(tube.vertices.size());
    const auto place = [&](int i) -> Vector3 { return x.col(tube.vertices[(i + count) % count]); };
    const auto along = [&](int i) -> Vector3 {
      const bool first = i == 0 && !tube.closed, last = i == count - 1 && !tube.closed;
      const Vector3 before = first ? Vector3::Zero().eval() : (place(i) - place(i - 1)).normalized();
      const Vector3 after = last ? Vector3::Zero().eval() : (place(i + 1) - place(i)).normalized();
      const Vector3 sum = before + after;
      return sum.norm() > 1e-6 ? sum.normalized() : (last ? before : after);
    };
    int next = tube.first_point;
    Vector3 tangent = along(0), across = tangent.unitOrthogonal();
    const auto add_ring = [&](const Vector3& middle, double radius) {
      const Vector3 other = tangent.cross(across);
      for (int k = 0; k < around_; ++k) {
        const double turn = 2 * std::numbers::pi * k / around_;
        result.col(next++) = middle + radius * (std::cos(turn) * across + std::sin(turn) * other);
      }
    };
    const auto add_tip = [&](const Vector3& middle, int ring, double sign) {
      const double angle = 0.5 * std::numbers::pi * ring / (tip_rings + 1);
      add_ring(middle + sign * tube.radius * std::sin(angle) * tangent, tube.radius * std::cos(angle));
    };
    const Vector3 first_tip = place(0) - tube.radius * tangent;
    if (!tube.closed) {
      for (int ring = tip_rings; ring >= 1; --ring) add_tip(place(0), ring, -1);
    }
    for (int i = 0; i < count; ++i) {
      const Vector3 now = along(i);
      across = turn_between(tangent, now) * across;
      across = (across - across.dot(now) * now).normalized();
      tangent = now;
      add_ring(place(i), tube.radius);
    }
    if (tube.closed) continue;
    for (int ring = 1; ring <= tip_rings; ++ring) add_tip(place(count - 1), ring, 1);
    result.col(next++) = first_tip;
    result.col(next) = place(count - 1) + tube.radius * tangent;
  }
  return result;
}

Vectors FrameSkin::values(const World& world, const Vectors& controls, const Vectors& vertices) const {
  Vectors result = Vectors::Zero(3, point_count());
  set_stiff(world, controls, result);
  set_plates(vertices, result);
  for (const Plate& plate : plates_) {
    if (plate.a != plate.b) continue;
    result.middleCols(plate.first_point, static_cast<Eigen::Index>(plate.shares.size())).colwise() =
        Vector3(vertices.col(plate.a));
  }
  for (const Ball& ball : balls_) {
    result.middleCols(ball.first_point, ball_.vertices.cols()).colwise() = Vector3(vertices.col(ball.vertex));
  }
  for (const Tube& tube : tubes_) {
    const int count = static_cast<int>(tube.vertices.size()), before = tube.closed ? 0 : tip_rings;
    const auto value = [&](int ring) -> Vector3 {
      return vertices.col(tube.vertices[std::clamp(ring - before, 0, count - 1)]);
    };
    int next = tube.first_point;
    for (int ring = 0; ring < count + 2 * before; ++ring) {
      for (int k = 0; k < around_; ++k) result.col(next++) = value(ring);
    }
    if (tube.closed) continue;
    result.col(next++) = value(0);
    result.col(next) = value(count + 2 * before);
  }
  return result;
}

}  // namespace bulwark
