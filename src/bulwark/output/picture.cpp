#include <bulwark/base/parallel.hpp>
#include <bulwark/output/depth_buffer.hpp>
#include <bulwark/output/picture.hpp>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

namespace bulwark {
namespace {

constexpr int supersampling = 2;         // samples per pixel along each axis
constexpr int shadow_resolution = 2048;  // pixels of the light's own picture
constexpr double see_through = 0.3;      // weight of an obstacle in front of a moving body

using Color = Eigen::Array3d;  // linear light

Color srgb(double r, double g, double b) {
  return Color(r, g, b).pow(2.2);
}

Color body_color(int index) {
  static const std::array<Color, 10> palette = {
      srgb(0.36, 0.60, 0.84), srgb(0.94, 0.62, 0.36), srgb(0.51, 0.74, 0.45), srgb(0.85, 0.45, 0.47),
      srgb(0.65, 0.55, 0.80), srgb(0.93, 0.79, 0.40), srgb(0.42, 0.73, 0.72), srgb(0.88, 0.58, 0.73),
      srgb(0.66, 0.55, 0.46), srgb(0.55, 0.65, 0.80)};
  return palette[index % palette.size()];
}

Color background(double height) {
  return srgb(0.93, 0.94, 0.96) * (1 - height) + srgb(0.66, 0.73, 0.82) * height;
}

/// Triangles, segments and points of the frame, with what is needed to shade them. Ids count through all
/// three.
struct Shapes {
  std::vector<Triangle> triangles;
  std::vector<Edge> segments;
  std::vector<int> points;

  int first_vertex(int id) const {
    const int after = id - static_cast<int>(triangles.size());
    if (after < 0) return triangles[id][0];
    const int last = after - static_cast<int>(segments.size());
    return last < 0 ? segments[after][0] : points[last];
  }
  bool is_triangle(int id) const { return id < static_cast<int>(triangles.size()); }
};

/// Pixels of a picture and the depth -1/z, which is linear over it.
class Projection {
 public:
  Projection(const Camera& camera, int width, int height)
      : camera_(camera), width_(width), height_(height), focal_(height / (2 * camera.tangent)) {}

  Vector3 pixel(const Vector3& seen) const {
    return {width_ / 2.0 + focal_ * seen.x() / seen.z(), height_ / 2.0 - focal_ * seen.y() / seen.z(),
            -1 / seen.z()};
  }
  /// The ray through a pixel, one unit deep.
  Vector3 ray(int x, int y) const {
    return camera_.forward + camera_.right * ((x + 0.5 - width_ / 2.0) / focal_) -
           camera_.up * ((y + 0.5 - height_ / 2.0) / focal_);
  }
  const Camera& camera() const { return camera_; }

 private:
  const Camera& camera_;
  double width_, height_, focal_;
};

/// What the light sees: the nearest depth along its direction, over the moving bodies' neighbourhood.
class ShadowMap {
 public:
  ShadowMap(const Vector3& to_light, const Vectors& around)
      : forward_(-to_light), buffer_(shadow_resolution, shadow_resolution) {
    right_ = forward_.unitOrthogonal();
    up_ = right_.cross(forward_);
    if (around.cols() > 0) {
      low_ = around.rowwise().minCoeff();
      const Vector3 high = around.rowwise().maxCoeff();
      center_ = (low_ + high) / 2;
      // Wide enough for the shadows on the ground beside the bodies.
      half_ = std::max(1e-9, 0.75 * (high - low_).norm());
    }
  }
  void draw(const Vectors& position, const Triangle& t, int id) {
    buffer_.draw_triangle(place(position.col(t[0])), place(position.col(t[1])), place(position.col(t[2])),
                          id);
  }
  /// The part of the light that reaches a point, smoothed over neighbouring pixels.
  double light(const Vector3& point, const Vector3& normal) const {
    // A surface must not shade itself: its own depth is only known to a pixel of the light's picture.
    const double bias = 0.003 * half_;
    const Vector3 p = place(point + bias * normal);
    int lit = 0, seen = 0;
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        const int x = static_cast<int>(std::floor(p.x())) + dx, y = static_cast<int>(std::floor(p.y())) + dy;
        ++seen;
        if (x < 0 || y < 0 || x >= buffer_.width || y >= buffer_.height) {
          ++lit;
          continue;
        }
        lit += p.z() < buffer_.depth[static_cast<std::size_t>(y) * buffer_.width + x] + bias;
      }
    }
    return static_cast<double>(lit) / seen;
  }

 private:
  Vector3 place(const Vector3& point) const {
    const Vector3 d = point - center_;
    const double scale = shadow_resolution / (2 * half_);
    return {(d.dot(right_) + half_) * scale, (d.dot(up_) + half_) * scale, d.dot(forward_)};
  }
  Vector3 forward_, right_, up_, center_ = Vector3::Zero(), low_ = Vector3::Zero();
  double half_ = 1;
  DepthBuffer buffer_;
};

/// Draws a triangle that may reach behind the camera: what is nearer than `near` is cut off.
void draw_clipped(DepthBuffer& buffer, const Projection& projection, const std::array<Vector3, 3>& seen,
                  double near, int id) {
  std::array<Vector3, 4> polygon;
  int count = 0;
  for (int k = 0; k < 3; ++k) {
    const Vector3& from = seen[k];
    const Vector3& to = seen[(k + 1) % 3];
    if (from.z() >= near) polygon[count++] = from;
    if ((from.z() >= near) != (to.z() >= near)) {
      polygon[count++] = from + (to - from) * ((near - from.z()) / (to.z() - from.z()));
    }
  }
  for (int k = 2; k < count; ++k) {
    buffer.draw_triangle(projection.pixel(polygon[0]), projection.pixel(polygon[k - 1]),
                         projection.pixel(polygon[k]), id);
  }
}

void draw_shapes(DepthBuffer& buffer, const Projection& projection, const Shapes& shapes,
                 const Vectors& position, double near, const std::vector<char>& wanted_vertex) {
  const Camera& camera = projection.camera();
  int id = 0;
  for (const Triangle& t : shapes.triangles) {
    if (wanted_vertex[t[0]]) {
      draw_clipped(
          buffer, projection,
          {camera.see(position.col(t[0])), camera.see(position.col(t[1])), camera.see(position.col(t[2]))},
          near, id);
    }
    ++id;
  }
  const double line_size = std::max(2.0, buffer.height / 300.0),
               point_size = std::max(3.0, buffer.height / 150.0);
  for (const Edge& edge : shapes.segments) {
    const Vector3 a = camera.see(position.col(edge[0])), b = camera.see(position.col(edge[1]));
    if (wanted_vertex[edge[0]] && a.z() > near && b.z() > near) {
      buffer.draw_line(projection.pixel(a), projection.pixel(b), line_size, id);
    }
    ++id;
  }
  for (const int vertex : shapes.points) {
    const Vector3 p = camera.see(position.col(vertex));
    if (wanted_vertex[vertex] && p.z() > near) buffer.draw_point(projection.pixel(p), point_size, id);
    ++id;
  }
}

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

class Painter {
 public:
  Painter(const Frame& frame, const Camera& camera, int width, int height)
      : frame_(frame),
        projection_(camera, width, height),
        moving_(width, height),
        obstacles_(width, height),
        to_light_((0.35 * camera.right + Vector3::UnitY() - 0.45 * camera.forward).normalized()),
        shadow_(to_light_, moving_points(frame)) {
    shapes_.triangles = boundary_triangles(frame.tetrahedra);
    shapes_.triangles.insert(shapes_.triangles.end(), frame.triangles.begin(), frame.triangles.end());
    shapes_.segments = frame.segments;
    shapes_.points = frame.vertices;
    for (int id = 0; id < static_cast<int>(shapes_.triangles.size()); ++id) {
      const Triangle& t = shapes_.triangles[id];
      if (!frame.bodies[frame.point_body[t[0]]].obstacle) shadow_.draw(frame.position, t, id);
    }

    const Vectors moving = moving_points(frame);
    size_ = moving.cols() > 0 ? (moving.rowwise().maxCoeff() - moving.rowwise().minCoeff()).norm() : 1;
    std::vector<char> obstacle_point(frame.point_body.size()), moving_point(frame.point_body.size());
    for (std::size_t i = 0; i < obstacle_point.size(); ++i) {
      obstacle_point[i] = frame.bodies[frame.point_body[i]].obstacle;
      moving_point[i] = !obstacle_point[i];
    }
    for (const CollisionBody& body : frame.bodies)
      color_index_.push_back(body.obstacle ? 0 : moving_bodies_++);
    const double near = 1e-3 * size_;
    draw_shapes(moving_, projection_, shapes_, frame.position, near, moving_point);
    draw_shapes(obstacles_, projection_, shapes_, frame.position, near, obstacle_point);
    floors_ = floors_of(frame, camera, size_);
  }

  Color pixel(int x, int y) const {
    const std::size_t index = static_cast<std::size_t>(y) * moving_.width + x;
    const Vector3 ray = projection_.ray(x, y);
    Color color = background(1 - (y + 0.5) / moving_.height);
    double depth = std::numeric_limits<double>::infinity();
    for (const Floor& floor : floors_) paint_floor(floor, ray, color, depth);
    const double body_depth = -1 / moving_.depth[index], obstacle_depth = -1 / obstacles_.depth[index];
    const bool body = moving_.owner[index] >= 0 && body_depth < depth;
    if (body) {
      color = shade(moving_.owner[index], ray, body_depth);
      depth = body_depth;
    }
    if (obstacles_.owner[index] >= 0 && obstacle_depth < depth) {
      const Color obstacle = shade(obstacles_.owner[index], ray, obstacle_depth);
      color = body ? Color(obstacle * see_through + color * (1 - see_through)) : obstacle;
    }
    return color;
  }

  static Vectors moving_points(const Frame& frame) {
    std::vector<int> chosen;
    for (std::size_t i = 0; i < frame.point_body.size(); ++i) {
      if (!frame.bodies[frame.point_body[i]].obstacle) chosen.push_back(static_cast<int>(i));
    }
    return chosen.empty() ? frame.position : Vectors(frame.position(Eigen::all, chosen));
  }

 private:
  Color lit(const Color& base, const Vector3& normal, const Vector3& point) const {
    const double sun = std::max(0.0, normal.dot(to_light_));
    const double sky = 0.5 + 0.5 * normal.y();
    const double reached = sun > 0 ? shadow_.light(point, normal) : 0;
    return base * (0.16 + 0.26 * sky + 0.72 * sun * reached);
  }

  Color shade(int id, const Vector3& ray, double depth) const {
    const int vertex = shapes_.first_vertex(id);
    const int body = frame_.point_body[vertex];
    const Color base = frame_.bodies[body].obstacle ? srgb(0.80, 0.80, 0.79) : body_color(color_index_[body]);
    if (!shapes_.is_triangle(id)) return base * (frame_.bodies[body].obstacle ? 0.35 : 0.8);
    const Triangle& t = shapes_.triangles[id];
    const Vector3 a = frame_.position.col(t[0]), b = frame_.position.col(t[1]), c = frame_.position.col(t[2]);
    Vector3 normal = (b - a).cross(c - a).normalized();
    if (normal.dot(ray) > 0) normal = -normal;
    const Vector3 point = projection_.camera().eye + depth * ray;
    return lit(base, normal, point) * wire(a, b, c, point, depth);
  }

  /// Edges of the mesh as thin darker lines, where triangles are large enough for lines not to cover them.
  double wire(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& point,
              double depth) const {
    const double pixel = supersampling * depth * 2 * projection_.camera().tangent / moving_.height;
    double nearest = std::numeric_limits<double>::infinity(), longest = 0;
    for (const auto& [from, to] : {std::pair{&a, &b}, std::pair{&b, &c}, std::pair{&c, &a}}) {
      const Vector3 edge = *to - *from;
      nearest = std::min(nearest, edge.cross(point - *from).norm() / edge.norm());
      longest = std::max(longest, edge.norm());
    }
    const double thickness = (b - a).cross(c - a).norm() / longest / pixel;  // of the triangle, in pixels
    return nearest < 0.5 * pixel ? 1 - 0.3 * std::clamp((thickness - 4) / 12, 0.0, 1.0) : 1.0;
  }

  void paint_floor(const Floor& floor, const Vector3& ray, Color& color, double& nearest) const {
    const double down = ray.dot(floor.normal);
    const double depth = down < 0 ? (floor.point - projection_.camera().eye).dot(floor.normal) / down : -1;
    if (depth <= 0 || depth >= nearest) return;
    nearest = depth;
    const Vector3 point = projection_.camera().eye + depth * ray;
    const double u = (point - floor.point).dot(floor.along) / floor.square;
    const double v = (point - floor.point).dot(floor.across) / floor.square;
    const bool dark = (static_cast<long>(std::floor(u)) + static_cast<long>(std::floor(v))) % 2 != 0;
    const Color base = dark ? srgb(0.80, 0.81, 0.82) : srgb(0.86, 0.87, 0.88);
    const double fade = std::clamp(depth / floor.reach, 0.0, 1.0);
    color = lit(base, floor.normal, point) * (1 - fade * fade) + background(0) * (fade * fade);
  }

  const Frame& frame_;
  Projection projection_;
  DepthBuffer moving_, obstacles_;
  Vector3 to_light_;
  ShadowMap shadow_;
  Shapes shapes_;
  std::vector<Floor> floors_;
  std::vector<int> color_index_;  ///< per body: moving bodies count through the palette
  int moving_bodies_ = 0;
  double size_ = 1;
};

std::uint8_t encode(double linear) {
  return static_cast<std::uint8_t>(std::lround(255 * std::pow(std::clamp(linear, 0.0, 1.0), 1 / 2.2)));
}

}  // namespace

Camera camera_for(const Frame& frame, double aspect) {
  return fit_camera(Painter::moving_points(frame), aspect);
}

Picture draw_frame(const Frame& frame, const Camera& camera, int width, int height) {
  const Painter painter(frame, camera, supersampling * width, supersampling * height);
  Picture picture{width, height, std::vector<std::uint8_t>(std::size_t{3} * width * height)};
  parallel_chunks(height, 16, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t y = begin; y < end; ++y) {
      for (int x = 0; x < width; ++x) {
        Color sum = Color::Zero();
        for (int sample = 0; sample < supersampling * supersampling; ++sample) {
          sum += painter.pixel(supersampling * x + sample % supersampling,
                               supersampling * static_cast<int>(y) + sample / supersampling);
        }
        sum /= supersampling * supersampling;
        for (int channel = 0; channel < 3; ++channel) {
          picture.rgb[3 * (y * width + x) + channel] = encode(sum[channel]);
        }
      }
    }
  });
  return picture;
}

}  // namespace bulwark
