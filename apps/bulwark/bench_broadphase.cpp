// Time and candidates of every broad phase over 1k to 1M triangles: two rippled sheets close to each other,
// and a lattice of separate boxes, all moving a little.
#include "benchmarks.hpp"

#include <bulwark/base/parallel.hpp>
#include <bulwark/collision/broad_phase.hpp>
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/sim/world.hpp>

#include <fmt/format.h>

#include <chrono>
#include <cmath>

namespace bulwark::app {
namespace {

/// Two layers of a rippled sheet, one edge length apart: every part of one is near the other.
World two_sheets(int triangles) {
  const int cells = std::max(2, static_cast<int>(std::sqrt(triangles / 4.0)));
  SurfaceMesh sheet = surface_mesh(GridShape{{1, 1}, {cells, cells}});
  for (int v = 0; v < sheet.vertices.cols(); ++v) {
    sheet.vertices(1, v) = 0.05 * std::sin(9 * sheet.vertices(0, v)) * std::cos(7 * sheet.vertices(2, v));
  }
  World world;
  BodyOptions lower, upper;
  lower.name = "lower";
  upper.name = "upper";
  upper.pose.position.y() = 1.0 / cells;
  add_obstacle(world, sheet, lower);
  add_obstacle(world, sheet, upper);
  for (CollisionBody& body : world.collision.bodies) body.obstacle = false;
  return world;
}

/// Boxes of 12 triangles on a cubic lattice, nearly touching.
World many_boxes(int triangles) {
  const int side = std::max(1, static_cast<int>(std::cbrt(triangles / 12.0)));
  const SurfaceMesh box = surface_mesh(BoxShape{{0.95, 0.95, 0.95}});
  World world;
  for (int i = 0; i < side * side * side; ++i) {
    BodyOptions options;
    options.name = fmt::format("box{}", i);
    options.pose.position = Vector3(i % side, i / side % side, i / (side * side));
    add_obstacle(world, box, options);
  }
  for (CollisionBody& body : world.collision.bodies) {
    body.obstacle = false;
    body.self = false;
  }
  return world;
}

struct Timing {
  double seconds = 0;
  std::size_t candidates = 0;
};

/// The mean of calls with a little motion between them, the first one (which builds) left out.
Timing measure(BroadPhase& method, const CollisionMesh& mesh, const Vectors& start, double motion,
               int calls) {
  Timing timing;
  srand(1);
  Vectors positions = start;
  for (int call = 0; call <= calls; ++call) {
    const Vectors end = positions + motion * Vectors::Random(3, positions.cols());
    const VertexBoxes boxes = swept_boxes(positions, end, motion);
    const auto begin = std::chrono::steady_clock::now();
    const Candidates found = method.find(mesh, boxes);
    if (call > 0)
      timing.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    timing.candidates = found.point_triangle.size() + found.edge_edge.size();
    positions = end;
  }
  timing.seconds /= calls;
  return timing;
}

}  // namespace

BenchTable bench_broadphase(const BenchOptions& options) {
  BenchTable table = {"broadphase", {}};
  set_thread_count(options.threads.value_or(0));
  struct Scene {
    std::string name;
    World (*make)(int);
  };
  for (const Scene& scene : {Scene{"sheets", two_sheets}, Scene{"boxes", many_boxes}}) {
    for (const char* name : {"bvh", "body-boxes"}) {
      std::vector<double> sizes, times;
      for (int triangles : {1'000, 10'000, 100'000, 1'000'000}) {
        if (options.quick && triangles > 10'000) break;
        // Two bodies as a whole against each other would take minutes.
        if (std::string(name) == "body-boxes" && scene.name == "sheets" && triangles > 100'000) break;
        const World world = scene.make(triangles);
        const Vectors start = vertex_positions(world.collision, world.state.position);
        const double motion = scene.name == "sheets" ? 0.2 / std::sqrt(triangles / 4.0) : 0.02;
        const auto method = make_broad_phase(name);
        const Timing timing = measure(*method, world.collision, start, motion, triangles > 100'000 ? 2 : 5);
        const auto count = static_cast<double>(world.collision.triangles.size());
        table.rows.push_back({fmt::format("{} {}", scene.name, count),
                              fmt::format("{}, ms", name),
                              1e3 * timing.seconds,
                              "",
                              {},
                              {},
                              fmt::format("{} candidates", timing.candidates)});
        sizes.push_back(count);
        times.push_back(timing.seconds);
      }
      table.rows.push_back({scene.name,
                            fmt::format("{}, growth exponent", name),
                            growth_exponent(sizes, times),
                            "",
                            {},
                            {},
                            ""});
    }
  }
  return table;
}

}  // namespace bulwark::app
