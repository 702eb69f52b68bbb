// Solids of every order between our files and VTK's own library: what it makes of our frames between the nodes, and what
// we make of the files that it and meshio write.
#include <bulwark/geometry/lagrange_cell.hpp>
#include <bulwark/geometry/mesh_file.hpp>
#include <bulwark/output/writing/frame_writer.hpp>

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <output/temporary_folder.hpp>

#include <cstdlib>
#include <random>

namespace bulwark {
namespace {

struct VtkKind {
  CellShape shape;
  int order;
  int vtk_type;             ///< of our frames
  std::string meshio_name;  ///< "" where meshio has another order of nodes, or no such cell
};

class VtkCell : public testing::TestWithParam<VtkKind> {};

bool python_has(const std::string& module) {
  return std::system(("/usr/bin/python3 -c 'import " + module + "' 2>/dev/null").c_str()) == 0;
}

/// Runs a script in the folder; its output is what a failure shows.
void run_python(const TemporaryFolder& folder, const std::string& script) {
  write_all(folder / "script.py", script);
  const std::string command =
      "cd '" + folder.path().string() + "' && /usr/bin/python3 script.py > log.txt 2>&1";
  ASSERT_EQ(std::system(command.c_str()), 0) << read_all(folder / "log.txt");
}

/// One cell with nodes out of place: curved edges and faces.
Vectors curved_nodes(CellShape shape, int order) {
  const auto lattice = lattice_nodes(shape, order);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> shake(-0.06 / order, 0.06 / order);
  Vectors nodes(3, static_cast<Eigen::Index>(lattice.size()));
  for (std::size_t a = 0; a < lattice.size(); ++a) {
    nodes.col(static_cast<Eigen::Index>(a)) = Vector3(lattice[a][0], lattice[a][1], lattice[a][2]) / order +
                                              Vector3(shake(random), shake(random), shake(random));
  }
  return nodes;
}

Frame frame_of(const VtkKind& kind) {
  Frame frame;
  frame.position = curved_nodes(kind.shape, kind.order);
  const auto count = static_cast<int>(frame.position.cols());
  std::vector<int> points(count);
  for (int i = 0; i < count; ++i) points[i] = i;
  if (kind.order == 1 && kind.shape == CellShape::tetrahedron)
    frame.tetrahedra = {{0, 1, 2, 3}};
  else
    frame.solids = {{kind.shape, kind.order, points}};
  frame.point_body.assign(count, 0);
  frame.body_names = {"cell"};
  frame.bodies = {{false, true, true, -1}};
  frame.stress.cauchy = SymmetricTensors::Random(6, count);
  frame.stress.energy_density.assign(count, 0);
  for (int i = 0; i < count; ++i) frame.stress.energy_density[i] = std::sin(1.0 + 2 * i);
  return frame;
}

TEST_P(VtkCell, OfOurFramesHasOurFieldsBetweenTheNodes) {
  if (!python_has("vtk")) GTEST_SKIP() << "VTK is not installed (python3-vtk9)";
  const VtkKind& kind = GetParam();
  const Frame frame = frame_of(kind);
  const TemporaryFolder folder;
  write_all(folder / "a.vtu", frame_to_vtu(frame));
  // Middles of edges and faces, the middle, and places without any symmetry: x, the energy and a stress at each.
  std::string expected;
  const double third = kind.shape == CellShape::tetrahedron ? 1.0 / 3 : 0.5;
  for (const Vector3& parent :
       {Vector3(0.5, 0, 0), Vector3(0, 0.5, 0), Vector3(0, 0, 0.5), Vector3(0.5, 0.5, 0),
        Vector3(0, 0.5, 0.5), Vector3(0.5, 0, 0.5), Vector3(third, third, 0), Vector3(0, third, third),
        Vector3(0.25, 0.25, 0.25), Vector3(0.11, 0.23, 0.37), Vector3(0.6, 0.05, 0.3)}) {
    const VectorX s = lagrange_values(kind.shape, kind.order, parent);
    const Vector3 x = frame.position * s;
    const double energy = Eigen::Map<const VectorX>(frame.stress.energy_density.data(), s.size()).dot(s);
    const double stress = frame.stress.cauchy.row(4).dot(s);
    expected += fmt::format("  ([{}, {}, {}], [{}, {}, {}, {}, {}]),\n", parent[0], parent[1], parent[2],
                            x[0], x[1], x[2], energy, stress);
  }
  run_python(folder, fmt::format(R"(
import vtk
errors = []
reader = vtk.vtkXMLUnstructuredGridReader()
reader.AddObserver('ErrorEvent', lambda *a: errors.append(a))
reader.SetFileName('a.vtu')
reader.Update()
grid = reader.GetOutput()
assert not errors and grid.GetNumberOfCells() == 1
cell = grid.GetCell(0)
assert cell.GetCellType() == {}, cell.GetCellType()
energy = grid.GetPointData().GetArray('energy_density')
stress = grid.GetPointData().GetArray('stress_tensor')
for parent, wanted in [
{}]:
    x, weights = [0.0] * 3, [0.0] * cell.GetNumberOfPoints()
    cell.EvaluateLocation(vtk.reference(0), parent, x, weights)
    points = [cell.GetPointId(i) for i in range(cell.GetNumberOfPoints())]
    fields = [sum(w * energy.GetValue(p) for w, p in zip(weights, points)),
              sum(w * stress.GetTuple(p)[4] for w, p in zip(weights, points))]
    for found, value in zip(list(x) + fields, wanted):
        assert abs(found - value) < 1e-12, (parent, x, fields, wanted)
)",
                                 kind.vtk_type, expected));
}

/// What both made of the same cells: read from FILE, with the nodes of `frame_of`.
void expect_cell(const std::filesystem::path& file, const VtkKind& kind, double tolerance) {
  const SolidMesh mesh = read_solid_mesh(file);
  ASSERT_EQ(mesh.shape, kind.shape) << file;
  ASSERT_EQ(mesh.order, kind.order) << file;
  ASSERT_EQ(mesh.cell_count(), 1) << file;
  const Vectors wanted = curved_nodes(kind.shape, kind.order);
  for (const Vector3& parent :
       {Vector3(0.11, 0.23, 0.37), Vector3(0.6, 0.05, 0.3), Vector3(0.02, 0.9, 0.04)}) {
    const VectorX s = lagrange_values(kind.shape, kind.order, parent);
    Vector3 found = Vector3::Zero();
    for (std::size_t a = 0; a < mesh.cell(0).size(); ++a)
      found += s[static_cast<Eigen::Index>(a)] * mesh.vertices.col(mesh.cell(0)[a]);
    EXPECT_LT((found - wanted * s).norm(), tolerance) << file;
  }
}

std::string as_python(const Vectors& points) {
  std::string text = "[";
  for (const auto& x : points.colwise()) text += fmt::format("[{}, {}, {}], ", x[0], x[1], x[2]);
  return text + "]";
}

TEST_P(VtkCell, WrittenByVtkIsReadInEveryModeOfItsFiles) {
  if (!python_has("vtk")) GTEST_SKIP() << "VTK is not installed (python3-vtk9)";
  const VtkKind& kind = GetParam();
  const TemporaryFolder folder;
  run_python(folder, fmt::format(R"(
import vtk
points = vtk.vtkPoints()
points.SetDataTypeToDouble()
for x in {}:
    points.InsertNextPoint(x)
grid = vtk.vtkUnstructuredGrid()
grid.SetPoints(points)
grid.InsertNextCell({}, points.GetNumberOfPoints(), range(points.GetNumberOfPoints()))
field = vtk.vtkDoubleArray()
field.SetName('strain')
field.SetNumberOfComponents(6)
field.SetNumberOfTuples(points.GetNumberOfPoints())
field.Fill(0.25)
grid.GetPointData().AddArray(field)
for mode in ['Ascii', 'Binary', 'Appended', 'RawAppended']:
    for compressor in ['None', 'ZLib']:
        writer = vtk.vtkXMLUnstructuredGridWriter()
        writer.SetInputData(grid)
        writer.SetFileName(f'{{mode}}{{compressor}}.vtu')
        getattr(writer, 'SetDataModeTo' + mode.replace('Raw', ''))()
        if mode == 'Appended':
            writer.EncodeAppendedDataOn()
        else:
            writer.EncodeAppendedDataOff()
        getattr(writer, 'SetCompressorTypeTo' + compressor)()
        assert writer.Write() == 1
)",
                                 as_python(curved_nodes(kind.shape, kind.order)), kind.vtk_type));
  for (const char* mode : {"Ascii", "Binary", "Appended", "RawAppended"}) {
    // VTK writes doubles as text with all their digits, or nearly.
    for (const char* compressor : {"None", "ZLib"})
      expect_cell(folder / fmt::format("{}{}.vtu", mode, compressor), kind, 1e-10);
  }
}

TEST_P(VtkCell, WrittenByMeshioIsRead) {
  if (!python_has("meshio")) GTEST_SKIP() << "meshio is not installed (python3-meshio)";
  const VtkKind& kind = GetParam();
  if (kind.meshio_name.empty()) GTEST_SKIP() << "meshio writes no such cell";
  const TemporaryFolder folder;
  run_python(folder, fmt::format(R"(
import meshio, numpy
points = numpy.array({})
mesh = meshio.Mesh(points, [('{}', [list(range(len(points)))])], point_data={{'strain': numpy.ones((len(points), 6))}})
mesh.write('zlib.vtu')
mesh.write('plain.vtu', compression=None)
mesh.write('text.vtu', binary=False)
)",
                                 as_python(curved_nodes(kind.shape, kind.order)), kind.meshio_name));
  for (const char* name : {"zlib.vtu", "plain.vtu", "text.vtu"}) expect_cell(folder / name, kind, 1e-10);
}

TEST_P(VtkCell, OfOurFramesIsReadByMeshio) {
  if (!python_has("meshio")) GTEST_SKIP() << "meshio is not installed (python3-meshio)";
  const VtkKind& kind = GetParam();
  if (kind.meshio_name.empty()) GTEST_SKIP() << "meshio writes no such cell";
  const Frame frame = frame_of(kind);
  const TemporaryFolder folder;
  write_all(folder / "a.vtu", frame_to_vtu(frame));
  run_python(folder, fmt::format(R"(
import meshio, numpy
mesh = meshio.read('a.vtu')
assert [cells.type for cells in mesh.cells] == ['{}'], mesh.cells
assert mesh.cells[0].data.tolist() == [list(range({}))]
assert numpy.array_equal(mesh.points, numpy.array({}))
assert mesh.point_data['stress_tensor'].shape == ({}, 6)
)",
                                 kind.meshio_name, frame.position.cols(), as_python(frame.position),
                                 frame.position.cols()));
}

const VtkKind vtk_kinds[] = {
    {CellShape::tetrahedron, 1, 10, "tetra"},     {CellShape::tetrahedron, 2, 24, "tetra10"},
    {CellShape::tetrahedron, 3, 71, ""},          {CellShape::tetrahedron, 4, 71, ""},
    {CellShape::hexahedron, 1, 12, "hexahedron"}, {CellShape::hexahedron, 2, 29, "hexahedron27"}};

std::string vtk_kind_name(const testing::TestParamInfo<VtkKind>& kind) {
  return (kind.param.shape == CellShape::tetrahedron ? "Tetrahedron" : "Hexahedron") +
         std::to_string(kind.param.order);
}

INSTANTIATE_TEST_SUITE_P(Kinds, VtkCell, testing::ValuesIn(vtk_kinds), vtk_kind_name);

}  // namespace
}  // namespace bulwark
