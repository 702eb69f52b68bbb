#include <bulwark/base/base64.hpp>
#include <bulwark/base/error.hpp>
#include <bulwark/base/packed_bytes.hpp>
#include <bulwark/math/rotation.hpp>
#include <bulwark/output/drawing/gltf.hpp>
#include <bulwark/output/drawing/picture.hpp>
#include <bulwark/output/drawing/picture_colors.hpp>
#include <bulwark/output/drawing/rigid_fit.hpp>
#include <bulwark/output/reading/frame_reader.hpp>
#include <bulwark/output/viewing/viewed_surface.hpp>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <nlohmann/json.hpp>

namespace bulwark {
namespace {

using Json = nlohmann::ordered_json;

// Numbers that the glTF standard gives to types, kinds of cells and uses of buffers.
constexpr int type_unsigned = 5125, type_float = 5126;
constexpr int mode_points = 0, mode_lines = 1, mode_triangles = 4;
constexpr int target_vertices = 34962, target_indices = 34963;

/// The JSON and binary parts of a file while it grows.
class GltfFile {
 public:
  Json json = {{"asset", {{"version", "2.0"}, {"generator", "bulwark"}}},
               {"scene", 0},
               {"scenes", Json::array()},
               {"nodes", Json::array()},
               {"meshes", Json::array()},
               {"materials", Json::array()},
               {"accessors", Json::array()},
               {"bufferViews", Json::array()},
               {"buffers", Json::array()}};

  int add(const char* list, Json item) {
    json[list].push_back(std::move(item));
    return static_cast<int>(json[list].size()) - 1;
  }

  /// 3-vectors in single precision. Positions and their changes must state their bounds.
  int add_vectors(const Vectors& vectors, int target) {
    const Eigen::Matrix3Xf single = vectors.cast<float>();
    Json low = Json::array(), high = Json::array();
    for (int k = 0; k < 3; ++k) {
      low.push_back(single.row(k).minCoeff());
      high.push_back(single.row(k).maxCoeff());
    }
    const int view = add_view(single.data(), static_cast<std::size_t>(single.size()) * sizeof(float), target);
    return add("accessors", {{"bufferView", view},
                             {"componentType", type_float},
                             {"count", single.cols()},
                             {"type", "VEC3"},
                             {"min", low},
                             {"max", high}});
  }
  int add_numbers(const std::vector<float>& numbers, const char* type, int per_item, bool bounds) {
    const int view = add_view(numbers.data(), numbers.size() * sizeof(float), 0);
    Json accessor = {{"bufferView", view},
                     {"componentType", type_float},
                     {"count", numbers.size() / per_item},
                     {"type", type}};
    if (bounds) {
      accessor["min"] = {*std::min_element(numbers.begin(), numbers.end())};
      accessor["max"] = {*std::max_element(numbers.begin(), numbers.end())};
    }
    return add("accessors", std::move(accessor));
  }
  int add_indices(const std::vector<std::uint32_t>& indices) {
    const int view = add_view(indices.data(), indices.size() * sizeof(std::uint32_t), target_indices);
    return add("accessors", {{"bufferView", view},
                             {"componentType", type_unsigned},
                             {"count", indices.size()},
                             {"type", "SCALAR"}});
  }

  /// As text, with the numbers inside of it.
  std::string text() {
    json["buffers"].push_back({{"byteLength", binary_.size()},
                               {"uri", "data:application/octet-stream;base64," + to_base64(binary_)}});
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  }

  std::string bytes() {
    json["buffers"].push_back({{"byteLength", binary_.size()}});
    std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    text.resize((text.size() + 3) / 4 * 4, ' ');
    std::string file = "glTF";
    append_number(file, std::uint32_t{2});
    append_number(file, static_cast<std::uint32_t>(12 + 8 + text.size() + 8 + binary_.size()));
    append_number(file, static_cast<std::uint32_t>(text.size()));
    file += "JSON" + text;
    append_number(file, static_cast<std::uint32_t>(binary_.size()));
    file += std::string("BIN\0", 4) + binary_;
    return file;
  }

 private:
  int add_view(const void* data, std::size_t size, int target) {
    constexpr std::size_t most = 4'000'000'000;  // lengths in a .glb file have 32 bits
    if (binary_.size() + size > most) {
      throw InputError("glTF", "the run is too large for one .glb file", "leave frames out: --every 10");
    }
    Json view = {{"buffer", 0}, {"byteOffset", binary_.size()}, {"byteLength", size}};
    if (target != 0) view["target"] = target;
    binary_.append(static_cast<const char*>(data), size);
    return add("bufferViews", std::move(view));
  }
  std::string binary_;
};

/// One body of the surface: its own vertices, and its cells by them.
struct BodySurface {
  std::vector<int> points;  ///< of the frame, one per vertex
  std::vector<std::uint32_t> triangles, segments, dots;
};

std::vector<BodySurface> bodies_of(const Frame& frame) {
  const ViewedSurface surface = viewed_surface(frame, true);
  std::vector<BodySurface> bodies(frame.bodies.size());
  std::vector<int> number(surface.corner_vertex.size(), -1);
  const auto local = [&](int corner) {
    const int point = surface.vertex_point[surface.corner_vertex[corner]];
    BodySurface& body = bodies[frame.point_body[point]];
    if (number[corner] < 0) {
      number[corner] = static_cast<int>(body.points.size());
      body.points.push_back(point);
    }
    return static_cast<std::uint32_t>(number[corner]);
  };
  const auto body_of = [&](int corner) -> BodySurface& {
    return bodies[surface.vertex_body[surface.corner_vertex[corner]]];
  };
  for (const Triangle& t : surface.triangles) {
    for (const int corner : t) body_of(t[0]).triangles.push_back(local(corner));
  }
  for (const Edge& e : surface.segments) {
    for (const int corner : e) body_of(e[0]).segments.push_back(local(corner));
  }
  for (const int corner : surface.dots) body_of(corner).dots.push_back(local(corner));
  return bodies;
}

Vectors points_of(const Frame& frame, const BodySurface& body) {
  return frame.position(Eigen::all, body.points);
}

Vectors normals_of(const BodySurface& body, const Vectors& points) {
  Vectors normals = Vectors::Zero(3, points.cols());
  for (std::size_t i = 0; i + 3 <= body.triangles.size(); i += 3) {
    const Vector3 a = points.col(body.triangles[i]), b = points.col(body.triangles[i + 1]),
                  c = points.col(body.triangles[i + 2]);
    for (int k = 0; k < 3; ++k) normals.col(body.triangles[i + k]) += (b - a).cross(c - a);
  }
  for (Eigen::Index i = 0; i < normals.cols(); ++i) {
    const double length = normals.col(i).norm();
    normals.col(i) = length > 0 ? Vector3(normals.col(i) / length) : Vector3::UnitY();
  }
  return normals;
}

enum class Movement { still, rigid, deforming };

/// How each body moves through all frames.
struct BodyMotion {
  Movement movement = Movement::still;
  std::vector<RigidFit> fits;  ///< by frame
};

class GltfWriter {
 public:
  GltfWriter(const std::vector<FrameEntry>& frames, const Vector3& up)
      : entries_(frames), first_(read_frame(frames.front().path)), bodies_(bodies_of(first_)), up_(up) {}

  std::string write(GltfForm form, GltfCounts* counts) {
    follow_bodies();
    const bool animated = entries_.size() > 1;
    if (animated) times_ = file_.add_numbers(frame_times_, "SCALAR", 1, true);
    int moving = 0;
    for (std::size_t body = 0; body < bodies_.size(); ++body) {
      const bool obstacle = first_.bodies[body].obstacle;
      add_material(first_.body_names[body], obstacle ? obstacle_color() : body_color(moving++));
      if (!bodies_[body].points.empty()) add_body(body);
    }
    if (animated) add_morph_targets();
    for (const FramePlane& plane : first_.planes) add_plane(plane);
    add_scene();
    if (!animation_["channels"].empty()) file_.json["animations"] = {animation_};
    if (counts != nullptr) {
      for (std::size_t body = 0; body < bodies_.size(); ++body) {
        if (bodies_[body].points.empty()) continue;
        counts->still += motions_[body].movement == Movement::still;
        counts->rigid += motions_[body].movement == Movement::rigid;
        counts->deforming += motions_[body].movement == Movement::deforming;
      }
    }
    return form == GltfForm::binary ? file_.bytes() : file_.text();
  }

 private:
  Frame frame_like_first(const FrameEntry& entry) const {
    Frame frame = read_frame(entry.path);
    if (frame.point_body != first_.point_body || frame.tetrahedra != first_.tetrahedra ||
        frame.solids != first_.solids || frame.triangles != first_.triangles || frame.skin != first_.skin ||
        frame.segments != first_.segments) {
      throw InputError(entry.path.string(),
                       "its mesh differs from that of the first frame, which glTF can't show",
                       "export single frames, as --format obj");
    }
    return frame;
  }

  void follow_bodies() {
    std::vector<Vectors> rest;
    std::vector<double> size;
    for (const BodySurface& body : bodies_) {
      rest.push_back(points_of(first_, body));
      const bool any = rest.back().cols() > 0;
      size.push_back(any ? (rest.back().rowwise().maxCoeff() - rest.back().rowwise().minCoeff()).norm() : 0);
    }
    motions_.resize(bodies_.size());
    for (const FrameEntry& entry : entries_) {
      const Frame frame = frame_like_first(entry);
      frame_times_.push_back(static_cast<float>(frame.time - first_.time));
      for (std::size_t body = 0; body < bodies_.size(); ++body) {
        BodyMotion& motion = motions_[body];
        const Vectors moved = points_of(frame, bodies_[body]);
        motion.fits.push_back(fit_rigid_motion(rest[body], moved));
        if (moved == rest[body]) continue;
        const bool rigid = motion.fits.back().deviation <= rigid_tolerance * size[body];
        motion.movement = std::max(motion.movement, rigid ? Movement::rigid : Movement::deforming);
      }
    }
  }

  void add_material(const std::string& name, const Color& color) {
    file_.add("materials", {{"name", name},
                            {"pbrMetallicRoughness",
                             {{"baseColorFactor", {color[0], color[1], color[2], 1.0}},
                              {"metallicFactor", 0.0},
                              {"roughnessFactor", 0.7}}},
                            {"doubleSided", true}});
  }

  /// Vertices are given about the body's center, where single precision has the most digits.
  void add_body(std::size_t index) {
    const BodySurface& body = bodies_[index];
    const Vectors points = points_of(first_, body);
    const Vector3 center = motions_[index].fits.front().center;
    Json attributes = {{"POSITION", file_.add_vectors(points.colwise() - center, target_vertices)}};
    // Without normals, viewers shade the flat triangles: right for a body whose normals change.
    if (!body.triangles.empty() && motions_[index].movement != Movement::deforming) {
      const int normals = file_.add_vectors(normals_of(body, points), target_vertices);
      file_.json["accessors"][normals].erase("min");
      file_.json["accessors"][normals].erase("max");
      attributes["NORMAL"] = normals;
    }
    Json primitives = Json::array();
    const auto add_cells = [&](const std::vector<std::uint32_t>& indices, int mode) {
      if (indices.empty()) return;
      primitives.push_back({{"attributes", attributes},
                            {"indices", file_.add_indices(indices)},
                            {"material", index},
                            {"mode", mode}});
    };
    add_cells(body.triangles, mode_triangles);
    add_cells(body.segments, mode_lines);
    add_cells(body.dots, mode_points);
    const int mesh = file_.add("meshes", {{"name", first_.body_names[index]}, {"primitives", primitives}});
    const int node = file_.add("nodes", {{"name", first_.body_names[index]},
                                         {"mesh", mesh},
                                         {"translation", {center.x(), center.y(), center.z()}}});
    if (motions_[index].movement == Movement::rigid) animate_rigid(node, motions_[index].fits);
    if (motions_[index].movement == Movement::deforming) deforming_.push_back({index, mesh, node});
  }

  void animate(int node, const char* path, int values) {
    animation_["samplers"].push_back({{"input", times_}, {"output", values}, {"interpolation", "LINEAR"}});
    animation_["channels"].push_back(
        {{"sampler", animation_["samplers"].size() - 1}, {"target", {{"node", node}, {"path", path}}}});
  }

  void animate_rigid(int node, const std::vector<RigidFit>& fits) {
    std::vector<float> places, turns;
    Eigen::Quaterniond last = Eigen::Quaterniond::Identity();
    for (const RigidFit& fit : fits) {
      Eigen::Quaterniond turn(fit.rotation);
      // Of the two quaternions of a rotation the one near the last: viewers turn the short way.
      if (turn.dot(last) < 0) turn.coeffs() = -turn.coeffs();
      last = turn;
      for (int k = 0; k < 3; ++k) places.push_back(static_cast<float>(fit.center[k]));
      for (int k = 0; k < 4; ++k) turns.push_back(static_cast<float>(turn.coeffs()[k]));
    }
    animate(node, "translation", file_.add_numbers(places, "VEC3", 3, false));
    animate(node, "rotation", file_.add_numbers(turns, "VEC4", 4, false));
  }

  /// One target per frame after the first, and one key per frame at which that target alone counts.
  void add_morph_targets() {
    if (deforming_.empty()) return;
    const std::size_t targets = entries_.size() - 1;
    std::vector<float> weights(entries_.size() * targets, 0);
    for (std::size_t key = 1; key < entries_.size(); ++key) weights[key * targets + key - 1] = 1;
    const int values = file_.add_numbers(weights, "SCALAR", 1, false);
    for (std::size_t i = 1; i < entries_.size(); ++i) {
      const Frame frame = frame_like_first(entries_[i]);
      for (const Deforming& body : deforming_) {
        const Vectors change = points_of(frame, bodies_[body.index]) - points_of(first_, bodies_[body.index]);
        const Json target = {{"POSITION", file_.add_vectors(change, target_vertices)}};
        for (Json& primitive : file_.json["meshes"][body.mesh]["primitives"]) {
          primitive["targets"].push_back(target);
        }
      }
    }
    for (const Deforming& body : deforming_) {
      file_.json["meshes"][body.mesh]["weights"] = std::vector<float>(targets, 0);
      animate(body.node, "weights", values);
    }
  }

  void add_plane(const FramePlane& plane) {
    const Vectors moving = moving_points(first_);
    const double size =
        moving.cols() > 0 ? (moving.rowwise().maxCoeff() - moving.rowwise().minCoeff()).norm() : 1;
    const double half = 5 * std::max(size, 1e-6);
    const Vector3 along = plane.normal.unitOrthogonal() * half, across = plane.normal.cross(along);
    Vectors corners(3, 4), normals(3, 4);
    corners << along + across, -along + across, -along - across, along - across;
    normals.colwise() = plane.normal;
    const Vector3 center = moving.cols() > 0 ? Vector3(moving.rowwise().mean()) : Vector3::Zero();
    const Vector3 on_plane = first_.position.col(plane.point);
    const Vector3 place = center - plane.normal.dot(center - on_plane) * plane.normal;
    const int normal = file_.add_vectors(normals, target_vertices);
    file_.json["accessors"][normal].erase("min");
    file_.json["accessors"][normal].erase("max");
    const Json primitive = {
        {"attributes", {{"POSITION", file_.add_vectors(corners, target_vertices)}, {"NORMAL", normal}}},
        {"indices", file_.add_indices({0, 1, 2, 0, 2, 3})},
        {"material", plane.body},
        {"mode", mode_triangles}};
    const std::string& name = first_.body_names[plane.body];
    const int mesh = file_.add("meshes", {{"name", name}, {"primitives", {primitive}}});
    file_.add("nodes", {{"name", name}, {"mesh", mesh}, {"translation", {place.x(), place.y(), place.z()}}});
  }

  void add_scene() {
    Json nodes = Json::array();
    for (std::size_t i = 0; i < file_.json["nodes"].size(); ++i) nodes.push_back(i);
    const Eigen::Quaterniond turn = turn_between(up_, Vector3::UnitY());
    if (!turn.isApprox(Eigen::Quaterniond::Identity()) && !nodes.empty()) {
      const int root = file_.add("nodes", {{"name", "scene with y up"},
                                           {"children", nodes},
                                           {"rotation", {turn.x(), turn.y(), turn.z(), turn.w()}}});
      nodes = {root};
    }
    Json scene = Json::object();
    if (!nodes.empty()) scene["nodes"] = nodes;
    file_.add("scenes", scene);
  }

  struct Deforming {
    std::size_t index;
    int mesh, node;
  };

  const std::vector<FrameEntry>& entries_;
  Frame first_;
  std::vector<BodySurface> bodies_;
  Vector3 up_;
  std::vector<BodyMotion> motions_;
  std::vector<float> frame_times_;
  std::vector<Deforming> deforming_;
  int times_ = 0;
  Json animation_ = {{"name", "run"}, {"samplers", Json::array()}, {"channels", Json::array()}};
  GltfFile file_;
};

}  // namespace

std::string run_to_gltf(const std::vector<FrameEntry>& frames, const Vector3& up, GltfForm form,
                        GltfCounts* counts) {
  return GltfWriter(frames, up).write(form, counts);
}

}  // namespace bulwark
