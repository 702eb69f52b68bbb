// What a viewer draws of a mesh: the surfaces of solids and the parts of obstacles, without any point inside
// a solid. It is found once for a run; frames then bring new places for its vertices only.
#pragma once

#include <bulwark/bodies/body_layout.hpp>
#include <bulwark/output/frame.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace bulwark {

/// A vertex may have several corners: triangles that meet at a sharp edge shade with corners of their own,
/// triangles that bend smoothly into each other share one.
struct ViewedSurface {
  std::size_t point_count = 0, cell_count = 0;  ///< of the frames that it fits

  std::vector<int>
      vertex_point;  ///< the frame's point that each vertex is, or the nearest of those it lies between
  std::vector<int> vertex_node;  ///< its number among the points of its body; -1 between points and on skins
  std::vector<int> vertex_body;  ///< the body of each vertex
  std::vector<int> corner_vertex;  ///< the vertex of each corner

  std::vector<Triangle> triangles;   ///< by corner; those of moving bodies come first
  std::size_t moving_triangles = 0;  ///< how many they are
  std::vector<Edge> segments;        ///< by corner: wires that belong to no triangle
  std::vector<int> dots;             ///< by corner: points that belong to nothing else
  std::vector<FramePlane> planes;    ///< their points are vertices here

  // The cells of vertex v, whose mean stress it shows: cells[cell_begin[v]] to cells[cell_begin[v + 1] - 1].
  std::vector<int> cell_begin, cells;

  // Vertices of curved faces between points: vertex v is the sum of shares[share_begin[v]] and those after it, up to
  // share_begin[v + 1]; without any it is its point.
  std::vector<int> share_begin;
  std::vector<SurfaceWeight> shares;  ///< of the frame's points

  std::size_t vertex_count() const { return vertex_point.size(); }

  /// What a vertex has, given value(point) of the frame's points.
  template <class Value>
  auto at_vertex(std::size_t v, Value&& value) const {
    const int begin = share_begin[v], end = share_begin[v + 1];
    if (begin == end) return value(vertex_point[v]);
    auto sum = value(shares[begin].control);
    sum *= shares[begin].value;
    for (int i = begin + 1; i < end; ++i) {
      auto part = value(shares[i].control);
      part *= shares[i].value;
      sum += part;
    }
    return sum;
  }
};

/// Finds the surface. Faces of solids of higher order are drawn curved (curved_faces.hpp), unless they are to be
/// `flat`: as they collide. Edges where the frame's shape bends by more than 50 degrees are sharp.
ViewedSurface viewed_surface(const Frame& frame, bool flat = false);

/// Bytes for the browser, little-endian, 4 each:
///   "BWS1", counts of bodies, vertices, corners, triangles, moving triangles, segments, dots, planes;
///   vertex_body, vertex_node, corner_vertex, triangles, segments, dots; then for each plane its vertex, its body and the
///   normal as three floats.
std::string pack_surface(const ViewedSurface& surface, std::size_t body_count);

}  // namespace bulwark
