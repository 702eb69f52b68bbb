#include <bulwark/math/jacobi_eigen.hpp>
#include <bulwark/scene/odd_values.hpp>
#include <bulwark/sim/body_nodes.hpp>
#include <bulwark/sim/statics.hpp>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numbers>
#include <span>

namespace bulwark {
namespace {

// Bounds of what is usual, in SI units.
constexpr double largest_body = 50, smallest_body = 1e-5;  // m
constexpr double heavy_body = 5, heaviest = 1e6;           // m and kg: a house
constexpr double lightest = 5, densest = 25000;            // kg/m^3: foams, and osmium
constexpr double softest = 10, stiffest = 2e12;            // Pa: gels, and diamond
constexpr double strongest_gravity = 100;                  // m/s^2
constexpr double farthest_per_step = 300;                  // contact distances that a body moves in a step
constexpr double largest_turn = 1;                         // rad that a body turns in a step
constexpr double finest_edges = 0.5;                       // of the mesh, in contact distances
constexpr double longest_step = 0.5;                       // s
constexpr int most_nodes = 300'000;
/// Bending of a body this much longer than thick matters; linear tetrahedra need some layers for it.
constexpr double slender = 4, fewest_layers = 3.5;

struct BodyFacts {
  double size = 0;     ///< longest side of its box, m
  double mass = 0;     ///< kg
  double volume = 0;   ///< that its mesh encloses, m^3; 0: unknown
  double density = 0;  ///< kg/m^3; 0: unknown
  double speed = 0;    ///< at the start, m/s
  double spin = 0;     ///< at the start, rad/s
};

/// What a surface encloses; 0 when it is open. The vector areas of a closed one add up to zero.
double closed_volume(const Vectors& vertices, std::span<const Triangle> surface) {
  Vector3 sum = Vector3::Zero(), first = Vector3::Zero();
  double area = 0, volume = 0;
  if (!surface.empty()) first = vertices.col(surface[0][0]);
  for (const Triangle& t : surface) {
    const Vector3 a = vertices.col(t[0]) - first, b = vertices.col(t[1]) - first,
                  c = vertices.col(t[2]) - first;
    const Vector3 of_triangle = 0.5 * (b - a).cross(c - a);
    sum += of_triangle;
    area += of_triangle.norm();
    volume += a.dot(b.cross(c)) / 6;
  }
  return sum.norm() < 1e-9 * area ? std::abs(volume) : 0;
}

/// The body's triangles, which follow each other in the mesh.
std::span<const Triangle> triangles_of(const CollisionMesh& mesh, const Body& body) {
  const auto first = std::partition_point(mesh.triangles.begin(), mesh.triangles.end(),
                                          [&](const Triangle& t) { return t[0] < body.first_vertex; });
  const auto last = std::partition_point(first, mesh.triangles.end(), [&](const Triangle& t) {
    return t[0] < body.first_vertex + body.vertex_count;
  });
  return {first, last};
}

const ElasticMaterial& elastic_material(const World& world, const Body& solid) {
  return world.elements.material_of<ElasticMaterial>(world.elements.elements[solid.first_element]);
}

BodyFacts facts_of(const World& world, const Body& body, const Vectors& vertices) {
  BodyFacts facts;
  if (body.vertex_count == 0) return facts;
  const auto points = vertices.middleCols(body.first_vertex, body.vertex_count);
  facts.size = (points.rowwise().maxCoeff() - points.rowwise().minCoeff()).maxCoeff() +
               2 * largest_radius(world, body);
  if (body.is_obstacle()) return facts;
  facts.speed =
      world.state.velocity.middleCols(body.first_control, body.point_count).colwise().norm().maxCoeff();
  if (facts.speed > 0 || body.is_stiff())
    facts.spin = rigid_motion(world, static_cast<int>(&body - world.bodies.data())).angular_velocity.norm();
  facts.mass = mass_of(world, body);
  if (is_solid(world, body)) {
    facts.density = elastic_material(world, body).density;
    facts.volume = facts.mass / facts.density;
  } else if (body.is_stiff()) {
    // Sheets and wires have their mass from a thickness, and enclose nothing.
    // Round bodies enclose about what is drawn of them.
    facts.volume = body.skin.mesh ? body.skin.turn.determinant() *
                                        enclosed_volume(body.skin.mesh->vertices, body.skin.mesh->triangles)
                                  : closed_volume(vertices, triangles_of(world.collision, body));
    if (facts.volume > 1e-9 * facts.size * facts.size * facts.size) {
      facts.density = world.stiff[body.stiff].mass / facts.volume;
    }
  }
  return facts;
}

/// A solid's extents along its principal axes, and how many tetrahedra lie across the shortest.
struct Layers {
  double length = 0, thickness = 0;  ///< m
  double count = 0;
};

Layers layers_of(const World& world, const Body& body) {
  const Vectors rest = rest_nodes(world, body);
  const Vector3 center = rest.rowwise().mean();
  const Vectors x = rest.colwise() - center;
  const Matrix3 axes = sorted_eigen<3>(x.lazyProduct(x.transpose())).vectors;
  const Vectors along = axes.transpose() * x;
  const Vector3 extent = along.rowwise().maxCoeff() - along.rowwise().minCoeff();
  Layers layers;
  int across = 0;
  layers.thickness = extent.minCoeff(&across);
  layers.length = extent.maxCoeff();
  // Each tetrahedron by its extent across, weighted by volume.
  double volume = 0, height = 0;
  for (int e = body.first_element; e < body.first_element + body.element_count; ++e) {
    const Tetrahedron v = world.elements.fixed_controls_of<4>(world.elements.elements[e]);
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const int c : v) {
      low = std::min(low, along(across, c - body.first_control));
      high = std::max(high, along(across, c - body.first_control));
    }
    const double share = tetrahedron_volume(world.rest.col(v[0]), world.rest.col(v[1]), world.rest.col(v[2]),
                                            world.rest.col(v[3]));
    volume += share;
    height += share * (high - low);
  }
  if (height > 0) layers.count = layers.thickness * volume / height;
  return layers;
}

class OddValues {
 public:
  OddValues(const World& world, const Settings& settings, const Derived& derived)
      : world_(world), settings_(settings), derived_(derived) {}

  std::vector<std::string> find() {
    const Vectors vertices = vertex_positions(world_.collision, world_.state.position);
    for (const Body& body : world_.bodies) {
      bodies_.push_back(&body);
      facts_.push_back(facts_of(world_, body, vertices));
    }
    sizes();
    materials();
    meshes();
    time_and_gravity();
    if (!is_static(settings_)) speeds();
    effort(vertices);
    return lines_;
  }

 private:
  /// A line for the first body that the test picks, with the number of the others.
  void line_for(const std::function<bool(std::size_t)>& picked,
                const std::function<std::string(std::size_t)>& line) {
    std::size_t first = bodies_.size(), others = 0;
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      if (!picked(i)) continue;
      if (first == bodies_.size()) {
        first = i;
      } else {
        ++others;
      }
    }
    if (first == bodies_.size()) return;
    const std::string name = fmt::format("body '{}'{}", bodies_[first]->name,
                                         others == 0 ? "" : fmt::format(" (and {} more)", others));
    lines_.push_back(name + " " + line(first));
  }
  bool moves(std::size_t i) const { return !bodies_[i]->is_obstacle(); }

  void sizes() {
    line_for(
        [&](std::size_t i) {
          return moves(i) && (facts_[i].size > largest_body ||
                              (facts_[i].size > heavy_body && facts_[i].mass > heaviest));
        },
        [&](std::size_t i) {
          return fmt::format(
              "is {:.4g} m across and weighs {:.3g} kg. Lengths are in metres: a model in millimetres needs "
              "\"scale\": 0.001",
              facts_[i].size, facts_[i].mass);
        });
    line_for([&](std::size_t i) { return moves(i) && facts_[i].size > 0 && facts_[i].size < smallest_body; },
             [&](std::size_t i) {
               return fmt::format("is only {:.3g} m across. Lengths are in metres", facts_[i].size);
             });
  }

  void materials() {
    line_for([&](std::size_t i) { return facts_[i].density > 0 && facts_[i].density < lightest; },
             [&](std::size_t i) {
               return fmt::format(
                   "has a density of {:.3g} kg/m^3, about that of air. Water has 1000: a density in g/cm^3 "
                   "needs a factor of 1000",
                   facts_[i].density);
             });
    line_for([&](std::size_t i) { return facts_[i].density > densest; },
             [&](std::size_t i) {
               return fmt::format("has a density of {:.3g} kg/m^3; no metal has more than 22600",
                                  facts_[i].density);
             });
    const auto young = [&](std::size_t i) {
      return is_solid(world_, *bodies_[i]) ? elastic_material(world_, *bodies_[i]).young : 0;
    };
    line_for([&](std::size_t i) { return is_solid(world_, *bodies_[i]) && young(i) < softest; },
             [&](std::size_t i) {
               return fmt::format(
                   "has a Young's modulus of {:.3g} Pa, softer than any gel. It is in pascals: rubber has "
                   "1e6, steel 2e11",
                   young(i));
             });
    line_for([&](std::size_t i) { return young(i) > stiffest; },
             [&](std::size_t i) {
               return fmt::format("has a Young's modulus of {:.3g} Pa, more than diamond", young(i));
             });
  }

  void meshes() {
    std::map<std::size_t, Layers> coarse;
    const auto is_coarse = [&](std::size_t i) {
      // Other elements bend as they should, or have other rules.
      const Body& body = *bodies_[i];
      if (body.element_count == 0 ||
          world_.elements.elements[body.first_element].type != ElementType::tetrahedron)
        return false;
      const Layers layers = layers_of(world_, *bodies_[i]);
      if (layers.length < slender * layers.thickness || layers.count >= fewest_layers) return false;
      coarse[i] = layers;
      return true;
    };
    line_for(is_coarse, [&](std::size_t i) {
      const Layers& layers = coarse.at(i);
      const double count = std::max(1.0, std::round(layers.count));
      return fmt::format(
          "has about {:.0f} tetrahedr{} across its thickness of {:.3g} m, and is {:.3g} m long: it will bend "
          "too little. Two across make a cantilever a third too stiff; a resolution of {:.2g} m or less "
          "(four "
          "across, or more) is better",
          count, count == 1 ? "on" : "a", layers.thickness, layers.length, layers.thickness / 4);
    });
  }

  void time_and_gravity() {
    const double gravity = settings_.gravity.norm();
    if (gravity > strongest_gravity) {
      lines_.push_back(fmt::format(
          "gravity is {:.4g} m/s^2; on Earth it is 9.81. Lengths are in metres, not millimetres", gravity));
    }
    if (settings_.time.step > longest_step && !is_static(settings_)) {
      lines_.push_back(
          fmt::format("the time step is {:.3g} s; most scenes need 0.001 to 0.05 s", settings_.time.step));
    }
  }

  bool outruns_itself(std::size_t i) const {
    return moves(i) && facts_[i].size > 0 && facts_[i].speed * settings_.time.step > facts_[i].size;
  }

  void speeds() {
    line_for(
        [&](std::size_t i) { return outruns_itself(i); },
        [&](std::size_t i) {
          const double path = facts_[i].speed * settings_.time.step;
          return fmt::format(
              "starts with {:.3g} m/s and moves {:.3g} m in a step, {:.1f} times its own size of {:.3g} "
              "m: what it hits on its path is detected, but poorly resolved. A time.step of {:.1g} s or less "
              "is better",
              facts_[i].speed, path, path / facts_[i].size, facts_[i].size,
              0.2 * facts_[i].size / facts_[i].speed);
        });
    line_for([&](std::size_t i) { return moves(i) && facts_[i].spin * settings_.time.step > largest_turn; },
             [&](std::size_t i) {
               return fmt::format(
                   "starts with {:.3g} rad/s ({:.3g} degrees/s) and turns {:.2g} rad in a step: that is too "
                   "coarse "
                   "for a rotation. A time.step of {:.1g} s or less is better",
                   facts_[i].spin, facts_[i].spin * 180 / std::numbers::pi,
                   facts_[i].spin * settings_.time.step, 0.2 / facts_[i].spin);
             });
  }

  void effort(const Vectors& vertices) {
    if (world_.control_count() > most_nodes) {
      lines_.push_back(fmt::format(
          "the scene has {} nodes: a step may take a minute on a few cores, and some gigabytes of memory. "
          "Bodies that barely deform can be affine",
          world_.control_count()));
    }
    if (!settings_.contact.enabled) return;
    auto distance_of = [&](std::size_t i) {
      return derived_.bodies[bodies_[i] - world_.bodies.data()].contact_distance;
    };
    line_for(
        [&](std::size_t i) {
          return !outruns_itself(i) &&
                 facts_[i].speed * settings_.time.step > farthest_per_step * distance_of(i);
        },
        [&](std::size_t i) {
          const double path = facts_[i].speed * settings_.time.step;
          return fmt::format(
              "starts with {:.3g} m/s and moves {:.3g} m in a step, {:.0f} times the contact distance: "
              "steps with collisions will be slow. A shorter time.step or a larger "
              "contact.distance helps",
              facts_[i].speed, path, path / distance_of(i));
        });
    line_for(
        [&](std::size_t i) {
          return std::isfinite(distance_of(i)) &&
                 median_edge(*bodies_[i], vertices) < finest_edges * distance_of(i);
        },
        [&](std::size_t i) {
          return fmt::format(
              "has edges of {:.3g} m, shorter than the contact distance of {:.3g} m: each point touches "
              "many elements. A smaller contact.distance or a coarser mesh is faster",
              median_edge(*bodies_[i], vertices), distance_of(i));
        });
  }

  /// Of the body's edges; infinite when it has none. A sample of them will do.
  double median_edge(const Body& body, const Vectors& vertices) const {
    if (edge_lengths_.empty()) {
      edge_lengths_.resize(world_.bodies.size());
      constexpr std::size_t enough = 200;
      for (const Edge& edge : world_.collision.edges) {
        if (is_lone_point(edge)) continue;
        std::vector<double>& lengths = edge_lengths_[world_.collision.vertex_body[edge[0]]];
        if (lengths.size() < enough)
          lengths.push_back((vertices.col(edge[0]) - vertices.col(edge[1])).norm());
      }
      for (std::vector<double>& lengths : edge_lengths_) std::sort(lengths.begin(), lengths.end());
    }
    const std::vector<double>& lengths = edge_lengths_[&body - world_.bodies.data()];
    return lengths.empty() ? std::numeric_limits<double>::infinity() : lengths[lengths.size() / 2];
  }

  const World& world_;
  const Settings& settings_;
  const Derived& derived_;
  std::vector<const Body*> bodies_;
  std::vector<BodyFacts> facts_;
  mutable std::vector<std::vector<double>> edge_lengths_;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> odd_values(const World& world, const Settings& settings, const Derived& derived) {
  return OddValues(world, settings, derived).find();
}

}  // namespace bulwark
