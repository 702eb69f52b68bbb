// The mesh of a body of a scene of dimension 2: from its planar shapes or its mesh file, in the plane z = 0.
#pragma once

#include <bulwark/scene/body_mesh.hpp>

namespace bulwark {

/// Segments and points of a stiff body, an obstacle or particles; triangles of a mesh file are replaced by the segments
/// that bound them. Where `bounds_mass` is set a closed outline may not cross itself.
SurfaceMesh planar_surface_for_body(const Json& body, const std::string& path, const Pose& pose,
                                    const std::filesystem::path& base_folder, const MeshBudget& budget,
                                    bool bounds_mass);

/// Triangles of a soft body: those of a mesh file, or a shape that has an area, filled by its resolution. Of the body's
/// `order`.
SolidMesh planar_solid_for_body(const Json& body, const std::string& path,
                                const std::filesystem::path& base_folder, const MeshBudget& budget);

}  // namespace bulwark
