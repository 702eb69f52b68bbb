#include <bulwark/base/error.hpp>
#include <bulwark/output/frame_list.hpp>
#include <bulwark/output/reading/frame_arrays.hpp>
#include <bulwark/output/reading/frame_reader.hpp>
#include <bulwark/output/writing/frame_writer.hpp>
#include <bulwark/output/writing/vtu_writer.hpp>

#include <gtest/gtest.h>
#include <output/temporary_folder.hpp>

#include <cstdlib>
#include <limits>
#include <random>

namespace bulwark {
namespace {

constexpr const char* python = "/usr/bin/python3";

/// Every kind of cell, bodies of every rule, names that XML and CSV dislike, numbers of every size.
Frame all_kinds(int extra_points = 0) {
  Frame frame;
  frame.step = 120;
  frame.time = 1.0 / 3;
  const int count = 12 + extra_points;
  frame.position = Vectors::Random(3, count);
  frame.position.col(0) << std::numeric_limits<double>::denorm_min(), -1e300, 0.1;
  frame.velocity = Vectors::Random(3, count);
  frame.contact_force = Vectors::Random(3, count);
  frame.contact_pressure.assign(count, 2.5);
  frame.contact_traction = Vectors::Random(3, count);
  frame.stress.von_mises.assign(count, 7.5);
  frame.stress.cauchy = SymmetricTensors::Random(6, count);
  frame.stress.second = SymmetricTensors::Random(6, count);
  frame.stress.strain = SymmetricTensors::Random(6, count);
  frame.stress.cauchy.col(3) << 1, 2, 3, 12, 23, 13;
  frame.stress.principal = Vectors::Random(3, count);
  frame.stress.energy_density.assign(count, 0.125);
  frame.tetrahedra = {{0, 1, 2, 3}, {1, 2, 3, 4}};
  frame.von_mises_stress = {1.5, 2.5};
  frame.triangles = {{5, 6, 7}};
  frame.segments = {{8, 9}};
  frame.vertices = {10};
  frame.planes = {{11, Vector3(1, 2, 3).normalized(), 2}};
  frame.point_body = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2};
  frame.point_body.resize(count, 0);
  frame.body_names = {"a <soft> \"one\"", "brick[0,1]", "Boden & W\u00e4nde"};
  frame.bodies = {{false, true, false, 3}, {true, false, true, -1}, {true, true, true, -1}};
  frame.joints = {{"axle \"1\"",
                   "hinge",
                   {0, -1},
                   {Vector3(1, 2, 3), Vector3(1, 2, 3)},
                   {Vector3::UnitX(), Vector3::UnitX()}},
                  {"rope, W\u00e4nde",
                   "distance",
                   {1, 2},
                   {Vector3(0.1, 0, 0), Vector3(0, 1e-9, 4)},
                   {Vector3::Zero(), Vector3::Zero()}}};
  return frame;
}

void expect_equal(const Frame& a, const Frame& b) {
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.position, b.position);
  EXPECT_EQ(a.point_body, b.point_body);
  EXPECT_EQ(a.velocity, b.velocity);
  EXPECT_EQ(a.contact_force, b.contact_force);
  EXPECT_EQ(a.contact_pressure, b.contact_pressure);
  EXPECT_EQ(a.contact_traction, b.contact_traction);
  EXPECT_EQ(a.stress.von_mises, b.stress.von_mises);
  EXPECT_EQ(a.stress.cauchy, b.stress.cauchy);
  EXPECT_EQ(a.stress.second, b.stress.second);
  EXPECT_EQ(a.stress.strain, b.stress.strain);
  EXPECT_EQ(a.stress.principal, b.stress.principal);
  EXPECT_EQ(a.stress.energy_density, b.stress.energy_density);
  EXPECT_EQ(a.tetrahedra, b.tetrahedra);
  EXPECT_EQ(a.triangles, b.triangles);
  EXPECT_EQ(a.segments, b.segments);
  EXPECT_EQ(a.vertices, b.vertices);
  EXPECT_EQ(a.von_mises_stress, b.von_mises_stress);
  EXPECT_EQ(a.skin, b.skin);
  EXPECT_EQ(a.radius, b.radius);
  EXPECT_EQ(a.rest, b.rest);
  EXPECT_EQ(a.body_names, b.body_names);
  EXPECT_EQ(a.exempt_pairs, b.exempt_pairs);
  ASSERT_EQ(a.joints.size(), b.joints.size());
  for (std::size_t i = 0; i < a.joints.size(); ++i) {
    EXPECT_EQ(a.joints[i].name, b.joints[i].name);
    EXPECT_EQ(a.joints[i].kind, b.joints[i].kind);
    EXPECT_EQ(a.joints[i].bodies, b.joints[i].bodies);
    EXPECT_EQ(a.joints[i].points, b.joints[i].points);
    EXPECT_EQ(a.joints[i].axes, b.joints[i].axes);
  }
  ASSERT_EQ(a.bodies.size(), b.bodies.size());
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    EXPECT_EQ(a.bodies[i].obstacle, b.bodies[i].obstacle);
    EXPECT_EQ(a.bodies[i].collides, b.bodies[i].collides);
    EXPECT_EQ(a.bodies[i].self, b.bodies[i].self);
    EXPECT_EQ(a.bodies[i].group, b.bodies[i].group);
  }
  ASSERT_EQ(a.planes.size(), b.planes.size());
  for (std::size_t i = 0; i < a.planes.size(); ++i) {
    EXPECT_EQ(a.planes[i].point, b.planes[i].point);
    EXPECT_EQ(a.planes[i].normal, b.planes[i].normal);
    EXPECT_EQ(a.planes[i].body, b.planes[i].body);
  }
}

TEST(FrameFile, ReadsBackExactly) {
  const TemporaryFolder folder;
  for (const int extra_points : {0, 100000}) {  // the second takes several compressed blocks
    const Frame frame = all_kinds(extra_points);
    write_all(folder / "a.vtu", frame_to_vtu(frame));
    expect_equal(read_frame(folder / "a.vtu"), frame);
    EXPECT_EQ(read_frame_time(folder / "a.vtu"), frame.time);
  }
}

TEST(FrameFile, SingleArraysAreThoseOfTheWholeFrame) {
  const Frame frame = all_kinds();
  const FrameArrays arrays(frame_to_vtu(frame), "a.vtu");
  expect_equal(whole_frame(arrays), frame);
  EXPECT_EQ(arrays.time(), frame.time);
  EXPECT_EQ(arrays.step(), frame.step);
  const auto expect_vectors = [](const std::vector<double>& numbers, const Vectors& vectors) {
    EXPECT_EQ(numbers, std::vector<double>(vectors.data(), vectors.data() + vectors.size()));
  };
  expect_vectors(arrays.positions(), frame.position);
  expect_vectors(arrays.point_vectors("velocity"), frame.velocity);
  EXPECT_EQ(arrays.point_numbers("body"),
            std::vector<double>(frame.point_body.begin(), frame.point_body.end()));
  EXPECT_TRUE(arrays.point_numbers("temperature").empty());
  EXPECT_THROW(arrays.point_numbers("velocity"), InputError) << "three numbers for each point, not one";
}

TEST(FrameFile, CellsAsTextAreReadWhole) {
  // As a program of another make may store a frame again: nothing appended, so that nothing can be hashed.
  const std::string text =
      "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid><FieldData>"
      "<DataArray Name=\"TimeValue\" NumberOfTuples=\"1\">0.5</DataArray>"
      "<DataArray Name=\"step\" NumberOfTuples=\"1\">3</DataArray>"
      "<DataArray Name=\"body_rules\" NumberOfTuples=\"4\">0 1 1 -1</DataArray>"
      "<DataArray Name=\"body_names\" NumberOfTuples=\"2\">97 0</DataArray></FieldData>"
      "<Piece NumberOfPoints=\"3\" NumberOfCells=\"1\">"
      "<Points><DataArray Name=\"Points\">0 0 0 1 0 0 0 1 0</DataArray></Points>"
      "<Cells><DataArray Name=\"connectivity\">0 1 2</DataArray><DataArray Name=\"offsets\">3</DataArray>"
      "<DataArray Name=\"types\">5</DataArray></Cells>"
      "<PointData><DataArray Name=\"body\">0 0 0</DataArray></PointData>"
      "</Piece></UnstructuredGrid></VTKFile>";
  const Frame frame = frame_from_vtu(text, "a.vtu");
  EXPECT_EQ(frame.step, 3);
  EXPECT_EQ(frame.body_names, std::vector<std::string>{"a"});
  EXPECT_EQ(frame.triangles, (std::vector<Triangle>{{0, 1, 2}}));
  EXPECT_THROW(FrameArrays(text, "a.vtu").topology(), InputError);
}

TEST(FrameFile, ACacheOfTheFrameBeforeChangesNoByte) {
  VtuCache cache;
  Frame frame = all_kinds();
  for (int change = 0; change < 8; ++change) {
    frame.step = change;
    frame.position *= 1.1;
    if (change == 2) frame.triangles.push_back({6, 7, 5});
    if (change == 3) frame.triangles.pop_back();
    if (change == 4) frame.planes.clear();  // and with them arrays
    if (change == 5) frame.body_names[1] = "another name";
    if (change == 6) frame = all_kinds(40000);
    EXPECT_EQ(frame_to_vtu(frame, &cache), frame_to_vtu(frame)) << change;
  }
}

TEST(FrameFile, RadiiAndSkinsTravelWithTheFrame) {
  Frame frame = all_kinds();
  frame.radius.assign(frame.point_body.size(), 0.25);
  frame.skin = {{6, 5, 7}, {5, 6, 8}};
  frame.rest = 2 * frame.position;
  const Frame back = frame_from_vtu(frame_to_vtu(frame), "a.vtu");
  expect_equal(back, frame);
  const CollisionMesh mesh = collision_surface(back);
  EXPECT_EQ(mesh.radius, frame.radius);
  EXPECT_EQ(mesh.rest, frame.rest);
  EXPECT_EQ(mesh.triangles.size(), collision_surface(all_kinds()).triangles.size())
      << "a skin does not collide";
  const DrawnCells drawn = drawn_cells(back);
  const int covered = frame.point_body[6];
  for (const Edge& e : drawn.segments) EXPECT_NE(frame.point_body[e[0]], covered);
  EXPECT_EQ(Triangle(drawn.triangles.back()), (Triangle{5, 6, 8}));
  frame.radius[2] = -1;
  EXPECT_THROW(frame_from_vtu(frame_to_vtu(frame), "a.vtu"), InputError);
}

TEST(FrameFile, FieldsThatWereNotAskedForStayAway) {
  const TemporaryFolder folder;
  Frame frame = all_kinds();
  frame.velocity = frame.contact_force = {};
  frame.von_mises_stress = {};
  frame.planes = {};
  write_all(folder / "a.vtu", frame_to_vtu(frame));
  expect_equal(read_frame(folder / "a.vtu"), frame);
}

TEST(FrameFile, TheSurfaceThatCollidesIsBoundaryAndObstacles) {
  const CollisionMesh mesh = collision_surface(all_kinds());
  EXPECT_EQ(mesh.triangles.size(), 6u + 1u);
  EXPECT_EQ(mesh.edges.size(), 9u + 3u + 1u + 1u);  // of solid and triangle, a segment, a lone point
  EXPECT_EQ(mesh.points, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  ASSERT_EQ(mesh.planes.size(), 1u);
  EXPECT_EQ(mesh.planes[0].vertex, 11);
  EXPECT_TRUE(mesh.may_collide(0, 2));
  EXPECT_FALSE(mesh.may_collide(0, 1));
  EXPECT_FALSE(mesh.may_collide(0, 0));
}

TEST(FrameFile, PairsThatDoNotCollideTravelWithTheFrame) {
  const TemporaryFolder folder;
  Frame frame = all_kinds();
  frame.exempt_pairs = {{0, 2}};
  write_all(folder / "a.vtu", frame_to_vtu(frame));
  const Frame back = read_frame(folder / "a.vtu");
  expect_equal(back, frame);
  EXPECT_FALSE(collision_surface(back).may_collide(2, 0));
}

TEST(FrameFile, DamageIsAnInputErrorOrHarmless) {
  const TemporaryFolder folder;
  const std::string good = frame_to_vtu(all_kinds());
  std::mt19937 random(1);
  for (int trial = 0; trial < 500; ++trial) {
    std::string bad = good;
    if (trial % 2 == 0) bad.resize(random() % bad.size());
    if (!bad.empty()) bad[random() % bad.size()] = static_cast<char>(random());
    write_all(folder / "a.vtu", bad);
    try {
      read_frame(folder / "a.vtu");
    } catch (const InputError&) {
    }
  }
  EXPECT_THROW(read_frame(folder / "none.vtu"), InputError);
}

TEST(FrameFile, ListsFinishedFramesByStep) {
  const TemporaryFolder folder;
  for (const char* name : {"frame_000010.vtu", "frame_000002.vtu", "frame_1000000.vtu",
                           "frame_000003.vtu.partial", "frame_3.vtu", "other.vtu"}) {
    write_all(folder / name, "");
  }
  std::vector<std::int64_t> steps;
  for (const FrameEntry& frame : list_frames(folder.path())) steps.push_back(frame.step);
  EXPECT_EQ(steps, (std::vector<std::int64_t>{2, 10, 1000000}));
}

/// Runs a Python script on a frame file; skips where Python lacks the module.
void check_with_python(const std::string& module, const std::string& script) {
  if (std::system((std::string(python) + " -c 'import " + module + "' 2>/dev/null").c_str()) != 0) {
    GTEST_SKIP() << python << " with " << module << " is not installed";
  }
  const TemporaryFolder folder;
  write_all(folder / "a.vtu", frame_to_vtu(all_kinds()));
  write_all(folder / "check.py", script);
  const std::string command = "cd '" + folder.path().string() + "' && " + python + " check.py > log.txt 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0) << read_all(folder / "log.txt");
}

TEST(FrameFile, MeshioReadsIt) {
  check_with_python("meshio", R"(
import meshio
m = meshio.read('a.vtu')
assert m.points.shape == (12, 3)
assert m.points[0][1] == -1e300 and m.points[0][2] == 0.1, m.points[0]
cells = {c.type: c.data.tolist() for c in m.cells}
assert cells == {'tetra': [[0, 1, 2, 3], [1, 2, 3, 4]], 'triangle': [[5, 6, 7]], 'line': [[8, 9]], 'vertex': [[10]]}, cells
assert m.point_data['velocity'].shape == (12, 3)
assert m.point_data['contact_force'].shape == (12, 3)
assert m.point_data['stress_tensor'].shape == (12, 6)
assert m.point_data['stress_tensor'][3].tolist() == [1, 2, 3, 12, 23, 13]
assert m.point_data['principal_stress'].shape == (12, 3)
assert m.point_data['energy_density'][5] == 0.125
assert m.point_data['body'].tolist() == [0]*5 + [1]*6 + [2]
assert [x.tolist() for x in m.cell_data['von_mises_stress']] == [[1.5, 2.5], [0], [0], [0]]
)");
}

TEST(FrameFile, VtkReadsIt) {
  check_with_python("vtk", R"(
import vtk
errors = []
reader = vtk.vtkXMLUnstructuredGridReader()
reader.AddObserver('ErrorEvent', lambda *a: errors.append(a))
reader.SetFileName('a.vtu')
reader.Update()
grid = reader.GetOutput()
assert not errors
assert grid.GetNumberOfPoints() == 12 and grid.GetNumberOfCells() == 5
assert grid.GetPoint(0)[2] == 0.1
assert grid.GetFieldData().GetArray('TimeValue').GetValue(0) == 1/3
assert grid.GetFieldData().GetArray('plane_normals').GetNumberOfTuples() == 1
stress = grid.GetPointData().GetArray('stress_tensor')
assert stress.GetNumberOfComponents() == 6 and stress.GetTuple(3) == (1, 2, 3, 12, 23, 13)
assert grid.GetPointData().GetArray('von_mises').GetValue(4) == 7.5
assert grid.GetCellData().GetArray('von_mises_stress').GetValue(1) == 2.5
)");
}

}  // namespace
}  // namespace bulwark
