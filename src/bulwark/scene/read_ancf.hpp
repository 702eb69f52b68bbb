// The shapes of ANCF beams and shells, as the scene file gives them.
#pragma once

#include <bulwark/bodies/ancf_body.hpp>
#include <bulwark/scene/body_mesh.hpp>

namespace bulwark {

/// The mesh of a body of kind `ancf-beam` or `ancf-shell`; its cross-section or thickness goes into the material.
AncfMesh read_ancf_mesh(const Json& body, const std::string& path, const std::filesystem::path& base_folder,
                        const MeshBudget& budget, ElasticMaterial& material);

}  // namespace bulwark
