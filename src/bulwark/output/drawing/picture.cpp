#include <bulwark/base/parallel.hpp>
#include <bulwark/output/drawing/depth_buffer.hpp>
#include <bulwark/output/drawing/lighting.hpp>
#include <bulwark/output/drawing/picture.hpp>
#include <bulwark/output/drawing/picture_colors.hpp>
#include <bulwark/output/drawing/point_field.hpp>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

namespace bulwark {
namespace {

constexpr int supersampling = 3;  // samples per pixel along each axis
constexpr int samples = supersampling * supersampling;
constexpr int band_rows = 16;        // rows of pixels that are drawn together
constexpr int tile_columns = 32;     // columns of a band whose light is found together
constexpr double see_through = 0.3;  // weight of an obstacle in front of a moving body

Color background(double height) {
  static const Color horizon = srgb(0.94, 0.95, 0.97), zenith = srgb(0.70, 0.77, 0.86);
  return horizon * (1 - height) + zenith * height;
}

/// Samples of a picture and the depth -1/z, which is linear over it.
class Projection {
 public:
  Projection(const Camera& camera, int width, int height)
      : camera_(camera), width_(width), height_(height), focal_(height / (2 * camera.tangent)) {}

  Vector3 place(const Vector3& seen) const {
    return {width_ / 2.0 + focal_ * seen.x() / seen.z(), height_ / 2.0 - focal_ * seen.y() / seen.z(),
            -1 / seen.z()};
  }
  /// The ray through a sample, one unit deep.
  Vector3 ray(int x, int y) const {
    return camera_.forward + camera_.right * ((x + 0.5 - width_ / 2.0) / focal_) -
           camera_.up * ((y + 0.5 - height_ / 2.0) / focal_);
  }
  /// Whether a point is in the picture, or beside it by less than half of its size.
  bool shows(const Vector3& seen) const {
    const Vector3 p = place(seen);
    return seen.z() > 0 && std::abs(p.x() - width_ / 2) < width_ && std::abs(p.y() - height_ / 2) < height_;
  }
  /// Samples per metre at that depth.
  double scale(double depth) const { return focal_ / depth; }
  const Camera& camera() const { return camera_; }

 private:
  const Camera& camera_;
  double width_, height_, focal_;
};

struct PixelBox {
  Vector3 low = Vector3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  void add(const Vector3& point) {
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  }
  bool empty() const { return !(low.x() <= high.x()); }
  double diagonal() const { return empty() ? 0 : (high - low).norm(); }
  bool holds(const Vector3& point) const {
    return (point.array() >= low.array()).all() && (point.array() <= high.array()).all();
  }
};

/// A plane is drawn as a floor of squares that fade into the distance.
struct Floor {
  Vector3 point, normal, along, across;
  double square = 1, reach = 1;
};

std::vector<Floor> floors_of(const Frame& frame, const Camera& camera, double size) {
  std::vector<Floor> floors;
  for (const FramePlane& plane : frame.planes) {
    const Vector3 point = frame.position.col(plane.point);
    if ((camera.eye - point).dot(plane.normal) <= 0) continue;
    const Vector3 along = plane.normal.unitOrthogonal();
    floors.push_back({point, plane.normal, along, plane.normal.cross(along),
                      std::pow(10, std::round(std::log10(size / 5))), 6 * size});
  }
  return floors;
}

/// Normals of the surface's corners: those of its triangles, weighted by their areas.
std::vector<Vector3> corner_normals(const ViewedSurface& surface, const Vectors& corners) {
  std::vector<Vector3> normals(surface.corner_vertex.size(), Vector3::Zero());
  for (const Triangle& t : surface.triangles) {
    const Vector3 a = corners.col(t[0]), b = corners.col(t[1]), c = corners.col(t[2]);
    const Vector3 twice_area = (b - a).cross(c - a);
    for (const int corner : t) normals[corner] += twice_area;
  }
  for (Vector3& normal : normals) normal.normalize();
  return normals;
}

/// Pixels whose light is found together. A sample sees up to three surfaces, each with a weight.
class Tile {
 public:
  Tile(int columns, int rows) : pixels_(static_cast<std::size_t>(columns) * rows, Color::Zero()) {}

  /// Where one sample of a pixel leaves what it sees.
  struct Share {
    Tile& tile;
    int pixel, sample;
    void add(const Color& color) const { tile.pixels_[pixel] += color; }
    void add(const Color& weight, const LitPoint& point) const {
      tile.points_[sample].push_back(point);
      tile.weights_[sample].push_back({pixel, weight});
    }
  };
  Share share(int pixel, int sample) { return {*this, pixel, sample}; }

  void light(const Lighting& lighting) {
    for (int sample = 0; sample < samples; ++sample) {
      lighting.find_light(points_[sample], sample, samples);
      for (std::size_t i = 0; i < points_[sample].size(); ++i) {
        const auto& [pixel, weight] = weights_[sample][i];
        pixels_[pixel] += weight * points_[sample][i].light;
      }
    }
  }
  Color color(int pixel) const { return (pixels_[pixel] / samples).min(1.0).max(0.0); }

 private:
  struct Weight {
    int pixel;
    Color color;
  };
  std::vector<Color> pixels_;
  std::array<std::vector<LitPoint>, samples> points_;
  std::array<std::vector<Weight>, samples> weights_;
};

/// Triangles, wires and dots of a frame, numbered through all three, and what is needed to shade them.
class Painter {
 public:
  Painter(const Frame& frame, const ViewedSurface& surface, const Camera& camera, const PictureStyle& style)
      : frame_(frame),
        surface_(surface),
        style_(style),
        projection_(camera, supersampling * style.width, supersampling * style.height),
        corners_(3, static_cast<Eigen::Index>(surface.corner_vertex.size())),
        lighting_(prepare()) {}

  /// Draws one band of the picture.
  void paint(int first_row, int rows, Picture& picture) const {
    const int width = supersampling * style_.width, height = supersampling * rows;
    const int first_line = supersampling * first_row;
    DepthBuffer moving(width, height), obstacles(width, height);
    draw_triangles(moving, obstacles, first_line);
    draw_wires(moving, obstacles, first_line);
    for (int x = 0; x < style_.width; x += tile_columns) {
      const int columns = std::min(tile_columns, style_.width - x);
      Tile tile(columns, rows);
      for (int pixel = 0; pixel < columns * rows; ++pixel) {
        for (int sample = 0; sample < samples; ++sample) {
          const int sample_x = supersampling * (x + pixel % columns) + sample % supersampling;
          const int sample_y = supersampling * (pixel / columns) + sample / supersampling;
          look(moving, obstacles, sample_x, sample_y, first_line, tile.share(pixel, sample));
        }
      }
      tile.light(lighting_);
      for (int pixel = 0; pixel < columns * rows; ++pixel) {
        const std::size_t row = static_cast<std::size_t>(first_row) + pixel / columns;
        const Color linear = tile.color(pixel);
        for (int channel = 0; channel < 3; ++channel) {
          picture.rgb[3 * (row * style_.width + x + pixel % columns) + channel] =
              static_cast<std::uint8_t>(std::lround(255 * std::pow(linear[channel], 1 / 2.2)));
        }
      }
    }
  }

 private:
  /// Where everything is, then the light on it.
  Lighting prepare() {
    for (Eigen::Index i = 0; i < corners_.cols(); ++i) {
      corners_.col(i) = surface_.at_vertex(surface_.corner_vertex[i],
                                           [&](int point) -> Vector3 { return frame_.position.col(point); });
    }
    normals_ = corner_normals(surface_, corners_);
    is_signed_ = style_.field && described(*style_.field).is_signed();
    if (style_.field) field_ = vertex_values(point_field(frame_, *style_.field));
    int moving_bodies = 0;
    for (const CollisionBody& body : frame_.bodies) {
      colors_.push_back(body.obstacle ? obstacle_color() : body_color(moving_bodies++));
    }
    const Vectors moving = moving_points(frame_);
    PixelBox box, in_view;
    for (Eigen::Index i = 0; i < moving.cols(); ++i) {
      box.add(moving.col(i));
      if (projection_.shows(projection_.camera().see(moving.col(i)))) in_view.add(moving.col(i));
    }
    if (in_view.empty()) in_view = box;
    size_ = in_view.diagonal() > 0 ? in_view.diagonal() : 1;
    near_ = 1e-3 * size_;
    wire_radius_ = 0.0025 * size_;
    floors_ = floors_of(frame_, projection_.camera(), size_);
    place_corners();

    const std::vector<char> casts = casting_bodies(moving, in_view);
    for (std::size_t corner = 0; corner < surface_.corner_vertex.size(); ++corner) {
      const Vector3 point = corners_.col(static_cast<Eigen::Index>(corner));
      const bool obstacle = frame_.bodies[body_of(static_cast<int>(corner))].obstacle;
      if (obstacle && casts[body_of(static_cast<int>(corner))]) in_view.add(point);
    }
    const Sphere sphere =
        in_view.empty() ? Sphere{}
                        : Sphere{(in_view.low + in_view.high) / 2, std::max(1e-9, in_view.diagonal() / 2)};
    const Camera& camera = projection_.camera();
    const Vector3 level = (camera.forward - camera.forward.dot(style_.up) * style_.up);
    const Vector3 to_sun = (0.45 * camera.right + 1.1 * style_.up - 0.35 * level).normalized();
    return Lighting(to_sun, style_.up, sphere, style_.height,
                    [&](LightMap& map) { draw_casters(map, casts); });
  }

  std::vector<float> vertex_values(const std::vector<float>& at_points) const {
    std::vector<float> result;
    for (std::size_t v = 0; !at_points.empty() && v < surface_.vertex_count(); ++v) {
      const double value = surface_.at_vertex(v, [&](int point) -> double { return at_points[point]; });
      result.push_back(static_cast<float>(is_signed_ ? value : std::max(0.0, value)));
    }
    return result;
  }

  /// Obstacles cast shadows unless they are much larger than the bodies (a floor), or hold most of them (a
  /// box would be dark inside).
  std::vector<char> casting_bodies(const Vectors& moving, const PixelBox& in_view) const {
    std::vector<PixelBox> boxes(frame_.bodies.size());
    for (std::size_t corner = 0; corner < surface_.corner_vertex.size(); ++corner) {
      boxes[body_of(static_cast<int>(corner))].add(corners_.col(static_cast<Eigen::Index>(corner)));
    }
    std::vector<char> casts(frame_.bodies.size(), 1);
    for (std::size_t body = 0; body < boxes.size(); ++body) {
      if (!frame_.bodies[body].obstacle) continue;
      Eigen::Index inside = 0;
      for (Eigen::Index i = 0; i < moving.cols(); ++i) inside += boxes[body].holds(moving.col(i));
      casts[body] = boxes[body].diagonal() < 2 * in_view.diagonal() && 2 * inside < moving.cols();
    }
    return casts;
  }

  void draw_casters(LightMap& map, const std::vector<char>& casts) const {
    for (const Triangle& t : surface_.triangles) {
      if (casts[body_of(t[0])]) map.draw_triangle(corners_.col(t[0]), corners_.col(t[1]), corners_.col(t[2]));
    }
    for (const Edge& e : surface_.segments) {
      if (casts[body_of(e[0])]) map.draw_wire(corners_.col(e[0]), corners_.col(e[1]), wire_radius_);
    }
  }

  void place_corners() {
    seen_.resize(3, corners_.cols());
    placed_.resize(3, corners_.cols());
    for (Eigen::Index i = 0; i < corners_.cols(); ++i) {
      seen_.col(i) = projection_.camera().see(corners_.col(i));
      placed_.col(i) = projection_.place(seen_.col(i));
    }
  }

  int point_of(int corner) const { return surface_.vertex_point[surface_.corner_vertex[corner]]; }
  int body_of(int corner) const { return frame_.point_body[point_of(corner)]; }
  int triangle_count() const { return static_cast<int>(surface_.triangles.size()); }
  int wire_count() const { return static_cast<int>(surface_.segments.size()); }
  int first_corner(int id) const {
    if (id < triangle_count()) return surface_.triangles[id][0];
    const int after = id - triangle_count();
    return after < wire_count() ? surface_.segments[after][0] : surface_.dots[after - wire_count()];
  }

  void draw_triangles(DepthBuffer& moving, DepthBuffer& obstacles, int first_line) const {
    const double low = first_line, high = first_line + moving.height;
    for (int id = 0; id < triangle_count(); ++id) {
      const Triangle& t = surface_.triangles[id];
      DepthBuffer& buffer = frame_.bodies[body_of(t[0])].obstacle ? obstacles : moving;
      if (seen_(2, t[0]) < near_ || seen_(2, t[1]) < near_ || seen_(2, t[2]) < near_) {
        draw_clipped(buffer, {seen_.col(t[0]), seen_.col(t[1]), seen_.col(t[2])}, first_line, id);
        continue;
      }
      const auto [top, bottom] = std::minmax({placed_(1, t[0]), placed_(1, t[1]), placed_(1, t[2])});
      if (bottom < low || top > high) continue;
      draw_shifted(buffer, placed_.col(t[0]), placed_.col(t[1]), placed_.col(t[2]), first_line, id);
    }
  }

  static void draw_shifted(DepthBuffer& buffer, const Vector3& a, const Vector3& b, const Vector3& c,
                           int first_line, int id) {
    const Vector3 shift(0, first_line, 0);
    buffer.draw_triangle(a - shift, b - shift, c - shift, id);
  }

  /// Draws a triangle that reaches behind the camera: what is nearer than `near_` is cut off.
  void draw_clipped(DepthBuffer& buffer, const std::array<Vector3, 3>& seen, int first_line, int id) const {
    std::array<Vector3, 4> polygon;
    int count = 0;
    for (int k = 0; k < 3; ++k) {
      const Vector3& from = seen[k];
      const Vector3& to = seen[(k + 1) % 3];
      if (from.z() >= near_) polygon[count++] = from;
      if ((from.z() >= near_) != (to.z() >= near_)) {
        polygon[count++] = from + (to - from) * ((near_ - from.z()) / (to.z() - from.z()));
      }
    }
    for (int k = 2; k < count; ++k) {
      draw_shifted(buffer, projection_.place(polygon[0]), projection_.place(polygon[k - 1]),
                   projection_.place(polygon[k]), first_line, id);
    }
  }

  /// Half the width of a wire in samples: never thinner than a pixel.
  double wire_half_width(double depth) const {
    return std::max(0.6 * supersampling, wire_radius_ * projection_.scale(depth));
  }

  void draw_wires(DepthBuffer& moving, DepthBuffer& obstacles, int first_line) const {
    int id = triangle_count();
    const Vector3 shift(0, first_line, 0);
    for (const Edge& e : surface_.segments) {
      DepthBuffer& buffer = frame_.bodies[body_of(e[0])].obstacle ? obstacles : moving;
      if (seen_(2, e[0]) > near_ && seen_(2, e[1]) > near_) {
        const Vector3 a = placed_.col(e[0]) - shift, b = placed_.col(e[1]) - shift;
        Vector3 across(a.y() - b.y(), b.x() - a.x(), 0);
        if (across.norm() > 0) across.normalize();
        const Vector3 at_a = across * wire_half_width(seen_(2, e[0]));
        const Vector3 at_b = across * wire_half_width(seen_(2, e[1]));
        buffer.draw_triangle(a - at_a, a + at_a, b + at_b, id);
        buffer.draw_triangle(a - at_a, b + at_b, b - at_b, id);
      }
      ++id;
    }
    for (const int dot : surface_.dots) {
      DepthBuffer& buffer = frame_.bodies[body_of(dot)].obstacle ? obstacles : moving;
      if (seen_(2, dot) > near_) {
        buffer.draw_point(placed_.col(dot) - shift, 3 * wire_half_width(seen_(2, dot)), id);
      }
      ++id;
    }
  }

  /// What a sample sees: background or floor, a body, an obstacle.
  void look(const DepthBuffer& moving, const DepthBuffer& obstacles, int x, int y, int first_line,
            const Tile::Share& share) const {
    const std::size_t index = static_cast<std::size_t>(y) * moving.width + x;
    const Vector3 ray = projection_.ray(x, y + first_line);
    double depth = std::numeric_limits<double>::infinity();
    const Floor* floor = nullptr;
    for (const Floor& other : floors_) {
      const double hit = floor_depth(other, ray);
      if (hit < depth) {
        depth = hit;
        floor = &other;
      }
    }
    const double body_depth = -1 / moving.depth[index], obstacle_depth = -1 / obstacles.depth[index];
    const bool body = moving.owner[index] >= 0 && body_depth < depth;
    if (body) depth = body_depth;
    const bool obstacle = obstacles.owner[index] >= 0 && obstacle_depth < depth;
    const double behind = !obstacle ? 1 : body ? 1 - see_through : 0;
    if (obstacle) shade(obstacles.owner[index], ray, obstacle_depth, 1 - behind, share);
    if (body) {
      shade(moving.owner[index], ray, body_depth, behind, share);
    } else if (behind > 0) {
      if (floor == nullptr) {
        share.add(background(floors_.empty() ? 1 - (first_line + y + 0.5) / (supersampling * style_.height)
                                             : std::clamp(2 * ray.normalized().dot(style_.up), 0.0, 1.0)));
      } else {
        shade_floor(*floor, ray, depth, share);
      }
    }
  }

  Color base_color(int body, double value) const {
    const bool by_field = style_.field && !frame_.bodies[body].obstacle;
    if (!by_field) return colors_[body];
    const double part = value / style_.field_end;
    return is_signed_ ? signed_scale_color(part) : scale_color(part);
  }
  double value_at(int corner) const { return field_.empty() ? 0.0 : field_[surface_.corner_vertex[corner]]; }

  void shade(int id, const Vector3& ray, double depth, double weight, const Tile::Share& share) const {
    const Vector3 point = projection_.camera().eye + depth * ray;
    if (id >= triangle_count()) return shade_wire(id, ray, point, depth, weight, share);
    const Triangle& t = surface_.triangles[id];
    const Vector3 a = corners_.col(t[0]), b = corners_.col(t[1]), c = corners_.col(t[2]);
    const Vector3 twice_area = (b - a).cross(c - a);
    const double square = twice_area.squaredNorm();
    const double wb = std::clamp((point - a).cross(c - a).dot(twice_area) / square, 0.0, 1.0);
    const double wc = std::clamp((b - a).cross(point - a).dot(twice_area) / square, 0.0, 1.0);
    const double wa = 1 - wb - wc;
    Vector3 face = twice_area.normalized();
    Vector3 normal = wa * normals_[t[0]] + wb * normals_[t[1]] + wc * normals_[t[2]];
    if (!(normal.norm() > 1e-9)) normal = face;
    normal.normalize();
    if (face.dot(ray) > 0) {
      face = -face;
      normal = -normal;
    }
    const double value = wa * value_at(t[0]) + wb * value_at(t[1]) + wc * value_at(t[2]);
    const double edges = style_.mesh_edges ? mesh_edge(a, b, c, point, depth) : 1.0;
    share.add(base_color(body_of(t[0]), value) * edges * weight, {point, normal, face});
  }

  /// A wire is shaded as the tube that it stands for, a dot as a ball's front.
  void shade_wire(int id, const Vector3& ray, const Vector3& point, double depth, double weight,
                  const Tile::Share& share) const {
    const int corner = first_corner(id), wire = id - triangle_count();
    const Vector3 to_eye = -ray.normalized();
    Vector3 normal = to_eye;
    if (wire < wire_count()) {
      const Edge& e = surface_.segments[wire];
      const Vector3 a = corners_.col(e[0]), along = (corners_.col(e[1]) - a).normalized();
      const Vector3 side = along.cross(to_eye).normalized();
      const double half_width = wire_half_width(depth) / projection_.scale(depth);
      const double offset = std::clamp((point - a).dot(side) / half_width, -1.0, 1.0);
      normal = offset * side + std::sqrt(1 - offset * offset) * side.cross(along);
    }
    const Color base = base_color(body_of(corner), value_at(corner));
    const bool obstacle = frame_.bodies[body_of(corner)].obstacle;
    share.add(base * (obstacle ? 0.55 : 1.0) * weight, {point + 2 * wire_radius_ * to_eye, normal, normal});
  }

  /// Edges of the mesh as thin darker lines, where triangles are large enough for lines not to cover them.
  double mesh_edge(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& point,
                   double depth) const {
    const double pixel = supersampling / projection_.scale(depth);
    double nearest = std::numeric_limits<double>::infinity(), longest = 0;
    for (const auto& [from, to] : {std::pair{&a, &b}, std::pair{&b, &c}, std::pair{&c, &a}}) {
      const Vector3 edge = *to - *from;
      nearest = std::min(nearest, edge.cross(point - *from).norm() / edge.norm());
      longest = std::max(longest, edge.norm());
    }
    const double thickness = (b - a).cross(c - a).norm() / longest / pixel;  // of the triangle, in pixels
    return nearest < 0.5 * pixel ? 1 - 0.35 * std::clamp((thickness - 4) / 12, 0.0, 1.0) : 1.0;
  }

  double floor_depth(const Floor& floor, const Vector3& ray) const {
    const double down = ray.dot(floor.normal);
    const double depth = down < 0 ? (floor.point - projection_.camera().eye).dot(floor.normal) / down : 0;
    return depth > 0 ? depth : std::numeric_limits<double>::infinity();
  }

  void shade_floor(const Floor& floor, const Vector3& ray, double depth, const Tile::Share& share) const {
    const Vector3 point = projection_.camera().eye + depth * ray;
    const double u = (point - floor.point).dot(floor.along) / floor.square;
    const double v = (point - floor.point).dot(floor.across) / floor.square;
    const bool dark = std::fmod(std::abs(std::floor(u) + std::floor(v)), 2.0) > 0.5;
    static const Color dark_square = srgb(0.79, 0.80, 0.81), light_square = srgb(0.84, 0.85, 0.86);
    const double fade = std::min(1.0, depth / floor.reach);
    share.add(background(0) * (fade * fade));
    share.add((dark ? dark_square : light_square) * (1 - fade * fade), {point, floor.normal, floor.normal});
  }

  const Frame& frame_;
  const ViewedSurface& surface_;
  PictureStyle style_;
  Projection projection_;
  Vectors corners_;               ///< where the corners are
  Vectors seen_, placed_;         ///< as the camera sees them, and in the picture
  std::vector<Vector3> normals_;  ///< per corner
  std::vector<float> field_;      ///< per vertex
  bool is_signed_ = false;        ///< the field
  std::vector<Color> colors_;     ///< per body
  std::vector<Floor> floors_;
  double size_ = 1, near_ = 1e-3, wire_radius_ = 1e-3;
  Lighting lighting_;  ///< last: it is made from the others
};

}  // namespace

Vectors moving_points(const Frame& frame) {
  std::vector<int> chosen;
  for (std::size_t i = 0; i < frame.point_body.size(); ++i) {
    if (!frame.bodies[frame.point_body[i]].obstacle) chosen.push_back(static_cast<int>(i));
  }
  return chosen.empty() ? frame.position : Vectors(frame.position(Eigen::all, chosen));
}

Picture draw_frame(const Frame& frame, const ViewedSurface& surface, const Camera& camera,
                   const PictureStyle& style) {
  const Painter painter(frame, surface, camera, style);
  Picture picture{style.width, style.height,
                  std::vector<std::uint8_t>(std::size_t{3} * style.width * style.height)};
  parallel_chunks(style.height, band_rows, [&](std::size_t begin, std::size_t end, std::size_t) {
    painter.paint(static_cast<int>(begin), static_cast<int>(end - begin), picture);
  });
  return picture;
}

Picture draw_frame(const Frame& frame, const Camera& camera, const PictureStyle& style) {
  return draw_frame(frame, viewed_surface(frame), camera, style);
}

}  // namespace bulwark
