#include <bulwark/bodies/ancf_surface.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace bulwark {
namespace {

/// Numbers of vertices by what they are, so that neighbours share them.
class VertexNumbers {
 public:
  explicit VertexNumbers(RidingSurface& surface) : surface_(surface) {}

  template <class Weights>
  int operator()(const std::vector<int>& key, Weights&& weights) {
    const auto [entry, is_new] = number_of_.emplace(key, static_cast<int>(surface_.weights.size()));
    if (is_new) surface_.weights.push_back(weights());
    return entry->second;
  }

 private:
  RidingSurface& surface_;
  std::map<std::vector<int>, int> number_of_;
};

std::vector<SurfaceWeight> weights_at(const ElementGeometry& geometry, std::span<const int> controls,
                                      const Vector3& parent) {
  const VectorX values = geometry.functions(parent).value;
  std::vector<SurfaceWeight> weights;
  for (std::size_t a = 0; a < controls.size(); ++a) {
    const double value = values[static_cast<Eigen::Index>(a)];
    if (value != 0) weights.push_back({controls[a], value});
  }
  std::sort(weights.begin(), weights.end(),
            [](const SurfaceWeight& a, const SurfaceWeight& b) { return a.control < b.control; });
  return weights;
}

double step_place(int step, int cuts) {
  return step == 0 ? -1 : step == cuts ? 1 : -1 + 2.0 * step / cuts;
}

void add_beam(const ElementGeometry& geometry, std::span<const int> controls, int number, int cuts,
              const std::map<int, int>& uses, RidingSurface& surface, VertexNumbers& vertex) {
  constexpr std::array<std::array<int, 2>, 4> ring = {{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}};
  auto at = [&](int step, int corner) {
    const std::vector<int> key = step == 0      ? std::vector{controls[0], corner}
                                 : step == cuts ? std::vector{controls[1], corner}
                                                : std::vector{number, step, corner};
    return vertex(key, [&] {
      return weights_at(geometry, controls,
                        Vector3(step_place(step, cuts), ring[corner][0], ring[corner][1]));
    });
  };
  for (int step = 0; step < cuts; ++step) {
    for (int i = 0; i < 4; ++i) {
      const int j = (i + 1) % 4;
      surface.triangles.push_back({at(step, i), at(step, j), at(step + 1, j)});
      surface.triangles.push_back({at(step, i), at(step + 1, j), at(step + 1, i)});
    }
  }
  if (uses.at(controls[0]) == 1) {
    surface.triangles.push_back({at(0, 0), at(0, 2), at(0, 1)});
    surface.triangles.push_back({at(0, 0), at(0, 3), at(0, 2)});
  }
  if (uses.at(controls[1]) == 1) {
    surface.triangles.push_back({at(cuts, 0), at(cuts, 1), at(cuts, 2)});
    surface.triangles.push_back({at(cuts, 0), at(cuts, 2), at(cuts, 3)});
  }
}

std::array<int, 2> side_of(std::span<const int> controls, int side) {
  const int a = controls[side], b = controls[(side + 1) % 4];
  return {std::min(a, b), std::max(a, b)};
}

void add_shell(const ElementGeometry& geometry, std::span<const int> controls, int number, int cuts,
               const std::map<std::array<int, 2>, int>& uses, RidingSurface& surface, VertexNumbers& vertex) {
  auto at = [&](int u, int v, int face) {
    // At a corner, along a side counted from its smaller node, or inside.
    std::vector<int> key;
    const bool at_u = u == 0 || u == cuts, at_v = v == 0 || v == cuts;
    const int corner = v == 0 ? (u == 0 ? 0 : 1) : (u == 0 ? 3 : 2);
    if (at_u && at_v) {
      key = {controls[corner], face};
    } else if (at_u || at_v) {
      const int from = at_v ? (v == 0 ? controls[0] : controls[3]) : (u == 0 ? controls[0] : controls[1]);
      const int to = at_v ? (v == 0 ? controls[1] : controls[2]) : (u == 0 ? controls[3] : controls[2]);
      const int step = at_v ? u : v;
      key = from < to ? std::vector{from, to, step, face} : std::vector{to, from, cuts - step, face};
    } else {
      key = {number, u, v, face, 0};
    }
    return vertex(key, [&] {
      return weights_at(geometry, controls, Vector3(step_place(u, cuts), step_place(v, cuts), face));
    });
  };
  for (int u = 0; u < cuts; ++u) {
    for (int v = 0; v < cuts; ++v) {
      const auto quad = [&](int face) {
        return std::array{at(u, v, face), at(u + 1, v, face), at(u + 1, v + 1, face), at(u, v + 1, face)};
      };
      const auto top = quad(1), bottom = quad(-1);
      surface.triangles.push_back({top[0], top[1], top[2]});
      surface.triangles.push_back({top[0], top[2], top[3]});
      surface.triangles.push_back({bottom[0], bottom[2], bottom[1]});
      surface.triangles.push_back({bottom[0], bottom[3], bottom[2]});
    }
  }
  for (int side = 0; side < 4; ++side) {
    if (uses.at(side_of(controls, side)) > 1) continue;
    auto place = [&](int step) {  // counterclockwise around the element
      return side == 0   ? std::array{step, 0}
             : side == 1 ? std::array{cuts, step}
             : side == 2 ? std::array{cuts - step, cuts}
                         : std::array{0, cuts - step};
    };
    for (int step = 0; step < cuts; ++step) {
      const auto p = place(step), q = place(step + 1);
      const int low_p = at(p[0], p[1], -1), low_q = at(q[0], q[1], -1), high_p = at(p[0], p[1], 1),
                high_q = at(q[0], q[1], 1);
      surface.triangles.push_back({low_p, low_q, high_q});
      surface.triangles.push_back({low_p, high_q, high_p});
    }
  }
}

}  // namespace

RidingSurface ancf_surface(const ElementTable& elements, const Vectors& controls, int cuts) {
  RidingSurface surface;
  VertexNumbers vertex(surface);
  std::map<int, int> uses_of_node;
  std::map<std::array<int, 2>, int> uses_of_side;
  double longest = 0;  // of an element, in units of its section
  for (const Element& element : elements.elements) {
    const auto of = elements.controls_of(element);
    for (int a = 0; a < shape_of(element.type).nodes; ++a) ++uses_of_node[of[a]];
    if (element.type == ElementType::ancf_shell) {
      for (int side = 0; side < 4; ++side) ++uses_of_side[side_of(of, side)];
    } else {
      const Vector3 size = element_geometry(elements, element, controls).size;
      longest = std::max(longest, size[0] / std::max(size[1], size[2]));
    }
  }
  constexpr int default_shell_cuts = 2, most_default_cuts = 8;
  for (const Element& element : elements.elements) {
    const ElementGeometry geometry = element_geometry(elements, element, controls);
    const auto of = elements.controls_of(element);
    const int number = elements.number_of(element);
    if (element.type == ElementType::ancf_beam) {
      const int own =
          cuts > 0 ? cuts : std::clamp(static_cast<int>(std::lround(longest)), 1, most_default_cuts);
      add_beam(geometry, of, number, own, uses_of_node, surface, vertex);
    } else {
      add_shell(geometry, of, number, cuts > 0 ? cuts : default_shell_cuts, uses_of_side, surface, vertex);
    }
  }
  return surface;
}

}  // namespace bulwark
