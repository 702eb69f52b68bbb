#include <bulwark/bodies/ancf_surface.hpp>
#include <bulwark/bodies/face_weights.hpp>

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

constexpr int faces_of_element = 6;
/// Of the places along an element.
constexpr int degree_along = 3;

double step_place(int step, int cuts) {
  return step == 0 ? -1 : step == cuts ? 1 : -1 + 2.0 * step / cuts;
}

/// A triangle of a face of the element, by the vertices, parent coordinates and weights of its corners' places.
template <class Places, class Vertex, class Parent, class Weight>
void add_part(RidingSurface& surface, int number, int face, const Places& corners, Vertex&& vertex,
              Parent&& parent, Weight&& weight) {
  FacePart part = {number, faces_of_element * number + face, {}, {}};
  Triangle triangle;
  for (int k = 0; k < 3; ++k) {
    triangle[k] = vertex(corners[k]);
    part.parent[k] = parent(corners[k]);
    part.weight[k] = weight(face, corners[k]);
  }
  surface.triangles.push_back(triangle);
  surface.parts.push_back(part);
}

void add_beam(const ElementGeometry& geometry, std::span<const int> controls, int number, int cuts,
              const std::map<int, int>& uses, RidingSurface& surface, VertexNumbers& vertex) {
  constexpr std::array<std::array<int, 2>, 4> ring = {{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}};
  using Place = std::array<int, 2>;  // step along it, corner of the section
  auto parent = [&](const Place& p) { return Vector3(step_place(p[0], cuts), ring[p[1]][0], ring[p[1]][1]); };
  auto at = [&](const Place& p) {
    const auto [step, corner] = p;
    const std::vector<int> key = step == 0      ? std::vector{controls[0], corner}
                                 : step == cuts ? std::vector{controls[1], corner}
                                                : std::vector{number, step, corner};
    return vertex(key, [&] { return weights_at(geometry, controls, parent(p)); });
  };
  const auto weight = [&](int face, const Place& p) {
    return face < 4 ? 0.5 * interval_weight(p[0], cuts, degree_along) : 0.25;
  };
  auto add = [&](int face, const Place& a, const Place& b, const Place& c) {
    add_part(surface, number, face, std::array{a, b, c}, at, parent, weight);
  };
  for (int step = 0; step < cuts; ++step) {
    for (int i = 0; i < 4; ++i) {
      const int j = (i + 1) % 4;
      add(i, {step, i}, {step, j}, {step + 1, j});
      add(i, {step, i}, {step + 1, j}, {step + 1, i});
    }
  }
  if (uses.at(controls[0]) == 1) {
    add(4, {0, 0}, {0, 2}, {0, 1});
    add(4, {0, 0}, {0, 3}, {0, 2});
  }
  if (uses.at(controls[1]) == 1) {
    add(5, {cuts, 0}, {cuts, 1}, {cuts, 2});
    add(5, {cuts, 0}, {cuts, 2}, {cuts, 3});
  }
}

std::array<int, 2> side_of(std::span<const int> controls, int side) {
  const int a = controls[side], b = controls[(side + 1) % 4];
  return {std::min(a, b), std::max(a, b)};
}

void add_shell(const ElementGeometry& geometry, std::span<const int> controls, int number, int cuts,
               const std::map<std::array<int, 2>, int>& uses, RidingSurface& surface, VertexNumbers& vertex) {
  using Place = std::array<int, 3>;  // steps along two sides, which surface
  auto parent = [&](const Place& p) { return Vector3(step_place(p[0], cuts), step_place(p[1], cuts), p[2]); };
  auto at = [&](const Place& p) {
    const auto [u, v, face] = p;
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
    return vertex(key, [&] { return weights_at(geometry, controls, parent(p)); });
  };
  const auto weight = [&](int face, const Place& p) {
    const double along = interval_weight(p[0], cuts, degree_along),
                 across = interval_weight(p[1], cuts, degree_along);
    if (face < 2) return along * across;
    return 0.5 * (face == 2 || face == 4 ? along : across);  // its sides are numbered from the first along u
  };
  auto add = [&](int face, const Place& a, const Place& b, const Place& c) {
    add_part(surface, number, face, std::array{a, b, c}, at, parent, weight);
  };
  for (int u = 0; u < cuts; ++u) {
    for (int v = 0; v < cuts; ++v) {
      const auto quad = [&](int face) {
        return std::array<Place, 4>{{{u, v, face}, {u + 1, v, face}, {u + 1, v + 1, face}, {u, v + 1, face}}};
      };
      const auto top = quad(1), bottom = quad(-1);
      add(0, top[0], top[1], top[2]);
      add(0, top[0], top[2], top[3]);
      add(1, bottom[0], bottom[2], bottom[1]);
      add(1, bottom[0], bottom[3], bottom[2]);
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
      const Place low_p = {p[0], p[1], -1}, low_q = {q[0], q[1], -1}, high_p = {p[0], p[1], 1},
                  high_q = {q[0], q[1], 1};
      add(2 + side, low_p, low_q, high_q);
      add(2 + side, low_p, high_q, high_p);
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
