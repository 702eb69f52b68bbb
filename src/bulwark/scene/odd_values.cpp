#include <bulwark/scene/odd_values.hpp>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <functional>

namespace bulwark {
namespace {

// Bounds of what is usual, in SI units.
constexpr double largest_body = 200, smallest_body = 1e-5;  // m
constexpr double lightest = 5, densest = 25000;             // kg/m^3: foams, and osmium
constexpr double softest = 10, stiffest = 2e12;             // Pa: gels, and diamond
constexpr double strongest_gravity = 100;                   // m/s^2
constexpr double farthest_per_step = 300;                   // contact distances that a body moves in a step
constexpr double finest_edges = 0.5;                        // of the mesh, in contact distances
constexpr double longest_step = 0.5;                        // s
constexpr int most_nodes = 300'000;

struct BodyFacts {
  double size = 0;     ///< longest side of its box, m
  double density = 0;  ///< kg/m^3; 0: unknown
  double speed = 0;    ///< at the start, m/s
};

/// What a surface encloses; 0 when it is open. The vector areas of a closed one add up to zero.
double closed_volume(const Vectors& vertices, const std::vector<Triangle>& surface) {
  Vector3 sum = Vector3::Zero();
  double area = 0;
  for (const Triangle& t : surface) {
    const Vector3 a = vertices.col(t[0]), b = vertices.col(t[1]), c = vertices.col(t[2]);
    const Vector3 of_triangle = 0.5 * (b - a).cross(c - a);
    sum += of_triangle;
    area += of_triangle.norm();
  }
  return sum.norm() < 1e-9 * area ? enclosed_volume(vertices, surface) : 0;
}

BodyFacts facts_of(const World& world, const Body& body, const Vectors& vertices) {
  BodyFacts facts;
  if (body.vertex_count == 0) return facts;
  const auto points = vertices.middleCols(body.first_vertex, body.vertex_count);
  facts.size = (points.rowwise().maxCoeff() - points.rowwise().minCoeff()).maxCoeff();
  if (body.kind == BodyKind::obstacle) return facts;
  facts.speed = world.state.velocity.middleCols(body.first_control, body.stiff >= 0 ? 1 : body.control_count)
                    .colwise()
                    .norm()
                    .maxCoeff();
  if (body.tetrahedron_count > 0) {
    facts.density = world.materials[world.tetrahedron_material[body.first_tetrahedron]].density;
  } else if (body.stiff >= 0) {
    std::vector<Triangle> surface;
    for (const Triangle& t : world.collision.triangles) {
      if (t[0] >= body.first_vertex && t[0] < body.first_vertex + body.vertex_count) surface.push_back(t);
    }
    // Sheets and wires have their mass from a thickness, and enclose nothing.
    const double volume = closed_volume(vertices, surface);
    if (volume > 1e-9 * facts.size * facts.size * facts.size)
      facts.density = world.stiff[body.stiff].mass / volume;
  }
  return facts;
}

class OddValues {
 public:
  OddValues(const World& world, const Settings& settings, const Derived& derived)
      : world_(world), settings_(settings), derived_(derived) {}

  std::vector<std::string> find() {
    const Vectors vertices = vertex_positions(world_.collision, world_.state.position);
    // The volumes of many stiff bodies are many passes over one list of triangles: a sample will do.
    constexpr std::size_t looked_at = 200;
    const std::size_t stride = std::max<std::size_t>(1, world_.bodies.size() / looked_at);
    for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
      const Body& body = world_.bodies[i];
      if (body.stiff >= 0 && i % stride != 0) continue;
      bodies_.push_back(&body);
      facts_.push_back(facts_of(world_, body, vertices));
    }
    sizes();
    materials();
    time_and_gravity();
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
  bool moves(std::size_t i) const { return bodies_[i]->kind != BodyKind::obstacle; }

  void sizes() {
    line_for([&](std::size_t i) { return moves(i) && facts_[i].size > largest_body; },
             [&](std::size_t i) {
               return fmt::format(
                   "is {:.4g} m across. Lengths are in metres: a model in millimetres needs "
                   "\"scale\": 0.001",
                   facts_[i].size);
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
      const Body& body = *bodies_[i];
      return body.tetrahedron_count > 0
                 ? world_.materials[world_.tetrahedron_material[body.first_tetrahedron]].young
                 : 0;
    };
    line_for([&](std::size_t i) { return bodies_[i]->tetrahedron_count > 0 && young(i) < softest; },
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

  void time_and_gravity() {
    const double gravity = settings_.gravity.norm();
    if (gravity > strongest_gravity) {
      lines_.push_back(fmt::format(
          "gravity is {:.4g} m/s^2; on Earth it is 9.81. Lengths are in metres, not millimetres", gravity));
    }
    if (settings_.time.step > longest_step) {
      lines_.push_back(
          fmt::format("the time step is {:.3g} s; most scenes need 0.001 to 0.05 s", settings_.time.step));
    }
  }

  void effort(const Vectors& vertices) {
    if (world_.control_count() > most_nodes) {
      lines_.push_back(
          fmt::format("the scene has {} nodes: a step will take minutes, and memory many gigabytes. "
                      "Bodies that hardly deform can be affine",
                      world_.control_count()));
    }
    if (!settings_.contact.enabled) return;
    auto distance_of = [&](std::size_t i) {
      return derived_.bodies[bodies_[i] - world_.bodies.data()].contact_distance;
    };
    line_for(
        [&](std::size_t i) {
          return facts_[i].speed * settings_.time.step > farthest_per_step * distance_of(i);
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
