// What a viewer draws of a mesh: the surfaces of solids and the parts of obstacles, without any point inside
// a solid. It is found once for a run; frames then bring new places for its vertices only.
#pragma once

#include <bulwark/output/frame.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace bulwark {

/// A vertex may have several corners: triangles that meet at a sharp edge shade with corners of their own,
/// triangles that bend smoothly into each other share one.
struct ViewedSurface {
  std::size_t point_count = 0, cell_count = 0;  ///< of the frames that it fits

  std::vector<int> vertex_point;   ///< the frame's point that each vertex is
  std::vector<int> vertex_body;    ///< the body of each vertex
  std::vector<int> corner_vertex;  ///< the vertex of each corner

  std::vector<Triangle> triangles;   ///< by corner; those of moving bodies come first
  std::size_t moving_triangles = 0;  ///< how many they are
  std::vector<Edge> segments;        ///< by corner: wires that belong to no triangle
  std::vector<int> dots;             ///< by corner: points that belong to nothing else
  std::vector<FramePlane> planes;    ///< their points are vertices here

  // The cells of vertex v, whose mean stress it shows: cells[cell_begin[v]] to cells[cell_begin[v + 1] - 1].
  std::vector<int> cell_begin, cells;

  std::size_t vertex_count() const { return vertex_point.size(); }
};

/// Finds the surface. Edges where the frame's shape bends by more than 50 degrees are sharp.
ViewedSurface viewed_surface(const Frame& frame);

/// Bytes for the browser, little-endian, 4 each:
///   "BWS1", counts of bodies, vertices, corners, triangles, moving triangles, segments, dots, planes;
///   vertex_body, corner_vertex, triangles, segments, dots; then for each plane its vertex, its body and the
///   normal as three floats.
std::string pack_surface(const ViewedSurface& surface, std::size_t body_count);

}  // namespace bulwark
