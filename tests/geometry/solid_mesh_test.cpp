#include <bulwark/base/error.hpp>
#include <bulwark/geometry/lagrange_cell.hpp>
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/geometry/solid_mesh.hpp>

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <set>

namespace bulwark {
namespace {

using Places = std::vector<std::array<int, 3>>;

const std::vector<std::pair<CellShape, int>> all_elements = {
    {CellShape::tetrahedron, 1}, {CellShape::tetrahedron, 2}, {CellShape::tetrahedron, 3},
    {CellShape::tetrahedron, 4}, {CellShape::hexahedron, 1},  {CellShape::hexahedron, 2}};

Places places(CellShape shape, int order) {
  const auto nodes = lattice_nodes(shape, order);
  return {nodes.begin(), nodes.end()};
}

SolidMesh one_cell(CellShape shape, int order) {
  SolidMesh mesh;
  mesh.shape = shape;
  mesh.order = order;
  const Places nodes = places(shape, order);
  mesh.vertices.resize(3, Eigen::Index(nodes.size()));
  for (std::size_t a = 0; a < nodes.size(); ++a) {
    mesh.cells.push_back(int(a));
    mesh.vertices.col(Eigen::Index(a)) = Vector3(nodes[a][0], nodes[a][1], nodes[a][2]) / order;
  }
  return mesh;
}

TEST(SolidMesh, NodesHaveTheOrderOfVtkCells) {
  EXPECT_EQ(places(CellShape::tetrahedron, 2), (Places{{0, 0, 0},
                                                       {2, 0, 0},
                                                       {0, 2, 0},
                                                       {0, 0, 2},
                                                       {1, 0, 0},
                                                       {1, 1, 0},
                                                       {0, 1, 0},
                                                       {0, 0, 1},
                                                       {1, 0, 1},
                                                       {0, 1, 1}}));
  const Places cubic = places(CellShape::tetrahedron, 3);
  EXPECT_EQ(Places(cubic.begin() + 6, cubic.end()), (Places{{2, 1, 0},
                                                            {1, 2, 0},
                                                            {0, 2, 0},
                                                            {0, 1, 0},
                                                            {0, 0, 1},
                                                            {0, 0, 2},
                                                            {2, 0, 1},
                                                            {1, 0, 2},
                                                            {0, 2, 1},
                                                            {0, 1, 2},
                                                            {1, 0, 1},
                                                            {1, 1, 1},
                                                            {0, 1, 1},
                                                            {1, 1, 0}}));
  const Places quartic = places(CellShape::tetrahedron, 4);
  EXPECT_EQ(Places(quartic.begin() + 22, quartic.end()), (Places{{1, 0, 1},
                                                                 {2, 0, 1},
                                                                 {1, 0, 2},
                                                                 {1, 2, 1},
                                                                 {1, 1, 2},
                                                                 {2, 1, 1},
                                                                 {0, 1, 1},
                                                                 {0, 1, 2},
                                                                 {0, 2, 1},
                                                                 {1, 1, 0},
                                                                 {1, 2, 0},
                                                                 {2, 1, 0},
                                                                 {1, 1, 1}}));
  const Places hexahedron = places(CellShape::hexahedron, 2);
  EXPECT_EQ(Places(hexahedron.begin() + 8, hexahedron.end()), (Places{{1, 0, 0},
                                                                      {2, 1, 0},
                                                                      {1, 2, 0},
                                                                      {0, 1, 0},
                                                                      {1, 0, 2},
                                                                      {2, 1, 2},
                                                                      {1, 2, 2},
                                                                      {0, 1, 2},
                                                                      {0, 0, 1},
                                                                      {2, 0, 1},
                                                                      {2, 2, 1},
                                                                      {0, 2, 1},
                                                                      {0, 1, 1},
                                                                      {2, 1, 1},
                                                                      {1, 0, 1},
                                                                      {1, 2, 1},
                                                                      {1, 1, 0},
                                                                      {1, 1, 2},
                                                                      {1, 1, 1}}));
}

TEST(SolidMesh, EveryLatticePlaceHasOneNode) {
  for (const auto& [shape, order] : all_elements) {
    const Places nodes = places(shape, order);
    const int n = order + 1;
    EXPECT_EQ(int(nodes.size()), shape == CellShape::tetrahedron ? n * (n + 1) * (n + 2) / 6 : n * n * n);
    EXPECT_EQ(std::set(nodes.begin(), nodes.end()).size(), nodes.size());
    for (std::size_t a = 0; a < nodes.size(); ++a) EXPECT_EQ(node_at(shape, order, nodes[a]), int(a));
  }
  EXPECT_EQ(node_at(CellShape::tetrahedron, 2, {2, 2, 0}), -1);
}

TEST(SolidMesh, OrdersWithoutElementsAreRefused) {
  EXPECT_THROW(lattice_nodes(CellShape::tetrahedron, 5), InputError);
  EXPECT_THROW(lattice_nodes(CellShape::hexahedron, 3), InputError);
  EXPECT_THROW(raised(one_cell(CellShape::hexahedron, 1), 3), InputError);
}

TEST(SolidMesh, LagrangePolynomialsAreOneAtTheirNodeAndTheirGradientsMatchDifferences) {
  for (const auto& [shape, order] : all_elements) {
    const Places nodes = places(shape, order);
    for (std::size_t a = 0; a < nodes.size(); ++a) {
      const Vector3 xi = Vector3(nodes[a][0], nodes[a][1], nodes[a][2]) / order;
      const VectorX values = lagrange_values(shape, order, xi);
      for (std::size_t b = 0; b < nodes.size(); ++b) EXPECT_NEAR(values[Eigen::Index(b)], a == b, 1e-12);
    }
    const Vector3 xi(0.2, 0.3, 0.15);
    const Vectors gradients = lagrange_gradients(shape, order, xi);
    for (int k = 0; k < 3; ++k) {
      const Vector3 step = 1e-5 * Vector3::Unit(k);
      const VectorX difference =
          (lagrange_values(shape, order, xi + step) - lagrange_values(shape, order, xi - step)) / 2e-5;
      EXPECT_LT((difference - gradients.row(k).transpose()).cwiseAbs().maxCoeff(), 1e-8);
    }
  }
}

TEST(SolidMesh, FacesAreSeenFromOutsideCounterclockwise) {
  for (const CellShape shape : {CellShape::tetrahedron, CellShape::hexahedron}) {
    const SolidMesh cell = one_cell(shape, 1);
    const Vector3 center = cell.vertices.rowwise().mean();
    for (const CellFace& face : cell_faces(shape)) {
      const auto at = [&](int k) {
        return Vector3(face.corners[k][0], face.corners[k][1], face.corners[k][2]);
      };
      EXPECT_GT((at(1) - at(0)).cross(at(2) - at(1)).dot(at(0) - center), 0);
    }
    EXPECT_EQ(boundary_faces(cell).size(), cell_faces(shape).size());
  }
}

TEST(SolidMesh, BoundaryIsThatOfTheLinearMeshAtAnyOrder) {
  const TetMesh ball = solid_mesh(SphereShape{1}, 0.8);
  const std::vector<Triangle> triangles = boundary_triangles(ball.tetrahedra);
  for (int order = 1; order <= 4; ++order) {
    const SolidMesh mesh = raised(as_solid_mesh(ball), order);
    const std::vector<BoundaryFace> faces = boundary_faces(mesh);
    ASSERT_EQ(faces.size(), triangles.size());
    for (std::size_t i = 0; i < faces.size(); ++i) {
      Triangle corners;
      for (int k = 0; k < 3; ++k) {
        auto place = cell_faces(mesh.shape)[std::size_t(faces[i].face)].corners[k];
        for (int& coordinate : place) coordinate *= order;
        corners[k] = mesh.cell(faces[i].cell)[std::size_t(node_at(mesh.shape, order, place))];
      }
      EXPECT_EQ(corners, triangles[i]);
    }
  }
}

TEST(SolidMesh, RaisingKeepsVerticesAndSharesNewNodesOnce) {
  const TetMesh ball = solid_mesh(SphereShape{1}, 0.8);
  std::set<Edge> edges;
  std::set<Triangle> faces;
  for (Tetrahedron t : ball.tetrahedra) {
    std::sort(t.begin(), t.end());
    for (int a = 0; a < 4; ++a) {
      for (int b = a + 1; b < 4; ++b) {
        edges.insert({t[a], t[b]});
        for (int c = b + 1; c < 4; ++c) faces.insert({t[a], t[b], t[c]});
      }
    }
  }
  const auto corners = ball.vertices.cols();
  for (int order = 1; order <= 4; ++order) {
    const SolidMesh mesh = raised(as_solid_mesh(ball), order);
    const std::size_t inner_of_face = (order - 1) * (order - 2) / 2, inner_of_cell = order == 4 ? 1 : 0;
    EXPECT_EQ(std::size_t(mesh.vertices.cols()), std::size_t(corners) + (order - 1) * edges.size() +
                                                     inner_of_face * faces.size() +
                                                     inner_of_cell * ball.tetrahedra.size());
    EXPECT_EQ(mesh.vertices.leftCols(corners), ball.vertices);
    EXPECT_EQ(*std::max_element(mesh.cells.begin(), mesh.cells.end()) + 1, mesh.vertices.cols());
    // Every node lies on the straight lattice of every cell that has it.
    for (int c = 0; c < mesh.cell_count(); ++c) {
      for (int a = 0; a < mesh.nodes_per_cell(); ++a) {
        const auto at = lattice_nodes(mesh.shape, order)[std::size_t(a)];
        const VectorX linear = lagrange_values(mesh.shape, 1, Vector3(at[0], at[1], at[2]) / order);
        Vector3 x = Vector3::Zero();
        for (int k = 0; k < 4; ++k) x += linear[k] * ball.vertices.col(ball.tetrahedra[std::size_t(c)][k]);
        EXPECT_LT((x - mesh.vertices.col(mesh.cell(c)[std::size_t(a)])).norm(), 1e-14);
      }
    }
  }
}

TEST(SolidMesh, RaisingACurvedMeshKeepsItsShape) {
  for (const CellShape shape : {CellShape::tetrahedron}) {
    SolidMesh curved = one_cell(shape, 2);
    for (int i = 0; i < curved.vertices.cols(); ++i)
      curved.vertices.col(i) += 0.1 * Vector3(std::sin(7.0 * i), std::cos(3.0 * i), std::sin(2.0 * i));
    for (int order : {3, 4}) {
      const SolidMesh mesh = raised(curved, order);
      const Vector3 xi(0.1, 0.25, 0.4);
      Vector3 before = Vector3::Zero(), after = Vector3::Zero();
      const VectorX low = lagrange_values(shape, 2, xi), high = lagrange_values(shape, order, xi);
      for (int a = 0; a < low.size(); ++a)
        before += low[a] * curved.vertices.col(curved.cells[std::size_t(a)]);
      for (int a = 0; a < high.size(); ++a) after += high[a] * mesh.vertices.col(mesh.cells[std::size_t(a)]);
      EXPECT_LT((before - after).norm(), 1e-14);
    }
  }
}

TEST(SolidMesh, RaisedHexahedraShareEdgesAndFaces) {
  SolidMesh pair = one_cell(CellShape::hexahedron, 1);
  Vectors vertices(3, 12);
  vertices.leftCols(8) = pair.vertices;
  for (int k = 0; k < 4; ++k)
    vertices.col(8 + k) = pair.vertices.col(k == 0 ? 1 : k == 1 ? 2 : k == 2 ? 5 : 6) + Vector3::UnitX();
  pair.vertices = vertices;
  pair.cells.insert(pair.cells.end(), {1, 8, 9, 2, 5, 10, 11, 6});
  const SolidMesh mesh = raised(pair, 2);
  EXPECT_EQ(mesh.vertices.cols(), 45);  // a lattice of 5 by 3 by 3
  EXPECT_EQ(boundary_faces(mesh).size(), 10u);
  for (int c = 0; c < 2; ++c) {
    for (int a = 0; a < 27; ++a) {
      const auto at = lattice_nodes(mesh.shape, 2)[std::size_t(a)];
      const Vector3 expected = Vector3(at[0], at[1], at[2]) / 2 + c * Vector3::UnitX();
      EXPECT_LT((mesh.vertices.col(mesh.cell(c)[std::size_t(a)]) - expected).norm(), 1e-15);
    }
  }
}

TEST(SolidMesh, NodeSetsGainTheNodesOfTheirFaces) {
  SolidMesh cell = one_cell(CellShape::hexahedron, 1);
  cell.node_sets["bottom"] = {0, 1, 2, 3};
  cell.node_sets["tip"] = {6};
  const SolidMesh mesh = raised(cell, 2);
  EXPECT_EQ(mesh.node_sets.at("bottom").size(), 9u);
  for (int v : mesh.node_sets.at("bottom")) EXPECT_EQ(mesh.vertices(2, v), 0);
  EXPECT_EQ(mesh.node_sets.at("tip"), std::vector<int>{6});
}

}  // namespace
}  // namespace bulwark
