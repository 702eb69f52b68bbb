// The command line of Bulwark: what can be asked, and the one place where errors become exit codes.
#include "commands.hpp"
#include "completion.hpp"
#include "terminal.hpp"

#include <bulwark/base/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <new>

namespace bulwark::app {
namespace {

constexpr int exit_bad_input = 2;

constexpr const char* exit_codes =
    "Exit codes: 0 done, 2 bad input, 3 the solver could not converge, 4 surfaces intersect,\n"
    "5 output could not be written, 130 interrupted with a checkpoint written.";

/// The check without its name in the help.
const CLI::Validator not_negative = CLI::Validator(CLI::NonNegativeNumber).description("");

void add_overrides(CLI::App& command, std::vector<std::string>& overrides) {
  command.add_option("--set", overrides, "Override a value of the scene, as /time/step=0.005; repeatable")
      ->type_name("PATH=VALUE")
      ->take_all()
      ->expected(1);
}

void add_quiet(CLI::App& command, bool& quiet) {
  command.add_flag("-q,--quiet", quiet, "Print nothing but warnings and errors");
}

int parse_and_run(int argc, char** argv) {
  CLI::App program(
      "Bulwark simulates soft and hard bodies in contact; no result of it ever contains two\n"
      "surfaces that pass through each other.",
      "bulwark");
  program.require_subcommand(1);
  program.footer(std::string(exit_codes) +
                 "\n\nExample:\n  bulwark run ipc/ball_on_mat -o out/ball && bulwark check out/ball");
  program.set_version_flag("--version", BULWARK_VERSION, "Print the version and exit");
  std::function<int()> chosen;

  RunOptions run_options;
  CLI::App* run_command = program.add_subcommand("run", "Simulate a scene into a run folder");
  run_command->add_option("SCENE", run_options.scene, "Scene file, or the name of a shipped scene")
      ->required();
  run_command->add_option("-o,--output", run_options.folder, "Run folder (default: out/SCENE_NAME)")
      ->type_name("DIR");
  run_command->add_option("--steps", run_options.steps, "Number of time steps, instead of the scene's")
      ->check(not_negative)
      ->type_name("N");
  run_command
      ->add_option("--threads", run_options.threads, "Threads to use; 0 means all (default: the scene's)")
      ->check(not_negative)
      ->type_name("N");
  run_command->add_option("--device", run_options.device, "cpu, the only device of this build")
      ->type_name("DEVICE");
  CLI::Option* resume = run_command->add_flag("--resume", run_options.resume,
                                              "Continue from the folder's last checkpoint, if it has one");
  run_command->add_flag("--force", run_options.force, "Replace the results that the folder has")
      ->excludes(resume);
  run_command
      ->add_option("--record-queries", run_options.recorded_queries,
                   "Write a sample of the collision queries, for bulwark ccd")
      ->type_name("FILE.csv");
  add_overrides(*run_command, run_options.overrides);
  add_quiet(*run_command, run_options.quiet);
  run_command->footer(
      "Example:\n  bulwark run scene.json -o out/trial --steps 200 --set /contact/friction=0.3");
  run_command->callback([&] { chosen = [&] { return run(run_options); }; });

  ValidateOptions validate_options;
  CLI::App* validate_command =
      program.add_subcommand("validate", "Check a scene and its start state; no stepping");
  validate_command->add_option("SCENE", validate_options.scene, "Scene file, or the name of a shipped scene")
      ->required();
  validate_command
      ->add_option("-o,--output", validate_options.offenders, "Write the triangles that intersect to FILE")
      ->type_name("FILE.obj");
  add_overrides(*validate_command, validate_options.overrides);
  validate_command->footer("Example:\n  bulwark validate scene.json");
  validate_command->callback([&] { chosen = [&] { return validate(validate_options); }; });

  std::string check_folder;
  CLI::App* check_command =
      program.add_subcommand("check", "Exact intersection test over all frames of a run");
  check_command->add_option("DIR", check_folder, "Run folder, or one frame (.vtu)")->required();
  check_command->footer("Example:\n  bulwark check out/trial");
  check_command->callback([&] { chosen = [&] { return check(check_folder); }; });

  RenderOptions render_options;
  CLI::App* render_command = program.add_subcommand("render", "Picture or video of a run, without a screen");
  render_command->add_option("DIR", render_options.folder, "Run folder, or one frame (.vtu)")->required();
  render_command
      ->add_option("-o,--output", render_options.output,
                   "Picture (.png), pictures (out/%04d.png), or video (.mp4, .webm, .gif)")
      ->type_name("FILE")
      ->required();
  render_command->add_option("--frame", render_options.frame, "Step of the frame to show (default: the last)")
      ->check(not_negative)
      ->type_name("N");
  render_command->add_option("--size", render_options.size, "Pixels (default: 1280x720)")->type_name("WxH");
  render_command
      ->add_option("--color", render_options.color, "body, speed, stress or contact_force (default: body)")
      ->check(CLI::IsMember({"body", "speed", "stress", "contact_force"}).description(""))
      ->type_name("BY");
  render_command
      ->add_option("--camera", render_options.camera,
                   "Camera and the point it looks at, m (default: the scene's)")
      ->type_name("X,Y,Z,TX,TY,TZ");
  render_command->add_flag("--edges", render_options.mesh_edges, "Draw the edges of the mesh");
  render_command
      ->add_option("--every", render_options.every,
                   "Video: use every Nth frame (default: so that it plays in real time)")
      ->check(CLI::Range(1, 1'000'000'000).description(""))
      ->type_name("N");
  render_command->add_option("--fps", render_options.frames_per_second, "Video: frames a second")
      ->check(CLI::Range(0.1, 1000.0).description(""))
      ->type_name("N");
  add_quiet(*render_command, render_options.quiet);
  render_command->footer("Example:\n  bulwark render out/trial -o trial.mp4 --color speed");
  render_command->callback([&] { chosen = [&] { return render(render_options); }; });

  PlotOptions plot_options;
  CLI::App* plot_command =
      program.add_subcommand("plot", "Draw energies, contacts, times or any column of a run as SVG or PNG");
  plot_command->add_option("DIR", plot_options.folder, "Run folder")->required();
  plot_command
      ->add_option("-o,--output", plot_options.output,
                   "An .svg or .png file; without --columns, a folder for all charts")
      ->type_name("PATH");
  plot_command->add_option("--columns", plot_options.columns, "Columns to draw, as kinetic,total")
      ->delimiter(',')
      ->type_name("NAME,...");
  plot_command->add_option("--file", plot_options.file, "Table to read (default: steps.csv)")
      ->type_name("NAME.csv");
  plot_command->add_option("--of", plot_options.names, "Bodies or joints to draw (default: all); repeatable")
      ->take_all()
      ->expected(1)
      ->type_name("NAME");
  plot_command->add_option("--x", plot_options.x, "Column of the horizontal axis (default: time)")
      ->type_name("NAME");
  plot_command->add_flag("--log", plot_options.logarithmic, "Logarithmic vertical axis");
  add_quiet(*plot_command, plot_options.quiet);
  plot_command->footer(
      "Example:\n  bulwark plot out/trial --file bodies.csv --columns x,y --of ball -o ball.svg");
  plot_command->callback([&] { chosen = [&] { return plot(plot_options); }; });

  ExportOptions export_options;
  CLI::App* export_command = program.add_subcommand("export", "Write a run in the formats of other programs");
  export_command->add_option("DIR", export_options.folder, "Run folder, or one frame (.vtu)")->required();
  export_command
      ->add_option("--format", export_options.format, "gltf, obj, ply, stl, vtk or vtu (default: told by -o)")
      ->check(CLI::IsMember({"gltf", "obj", "ply", "stl", "vtk", "vtu"}).description(""))
      ->type_name("NAME");
  export_command
      ->add_option("-o,--output", export_options.output,
                   "File, files (out/%04d.obj) or folder (default: DIR/export)")
      ->type_name("PATH");
  export_command
      ->add_option("--frame", export_options.frame,
                   "Step of the only frame (default: all; of one .obj, .. the last)")
      ->check(not_negative)
      ->type_name("N");
  export_command->add_option("--every", export_options.every, "Use every Nth frame")
      ->check(CLI::Range(1, 1'000'000'000).description(""))
      ->type_name("N");
  add_quiet(*export_command, export_options.quiet);
  export_command->footer("Example:\n  bulwark export out/trial -o trial.glb");
  export_command->callback([&] { chosen = [&] { return export_run(export_options); }; });

  ExplainOptions explain_options;
  CLI::App* explain_command =
      program.add_subcommand("explain", "Say why a run was slow, or why a step failed");
  explain_command->add_option("DIR", explain_options.folder, "Run folder")->required();
  explain_command->add_option("--step", explain_options.step, "Look at this step (default: the whole run)")
      ->check(not_negative)
      ->type_name("N");
  explain_command->footer("Example:\n  bulwark explain out/trial --step 37");
  explain_command->callback([&] { chosen = [&] { return explain(explain_options); }; });

  ViewOptions view_options;
  CLI::App* view_command =
      program.add_subcommand("view", "Show a run, or the start of a scene, in the browser");
  view_command
      ->add_option("DIR", view_options.run, "Run folder, of a run that may still be going; or a scene")
      ->required();
  view_command->add_option("--port", view_options.port, "Port on this machine (default: 8765 or the next)")
      ->check(CLI::Range(0, 65535).description(""))
      ->type_name("N");
  view_command->add_flag("!--no-browser", view_options.browser, "Print the address, open nothing");
  view_command->add_option("--html", view_options.html, "Write one page with the run in it, to send")
      ->type_name("FILE");
  view_command
      ->add_option("--limit", view_options.limit_megabytes,
                   "Megabytes that page may have (default: 50); frames are left out to fit")
      ->check(CLI::PositiveNumber.description(""))
      ->type_name("MB");
  add_overrides(*view_command, view_options.overrides);
  view_command->footer("Example:\n  bulwark view out/trial --html trial.html");
  view_command->callback([&] { chosen = [&] { return view(view_options); }; });

  CcdCommandOptions ccd_options;
  CLI::App* ccd_command =
      program.add_subcommand("ccd", "Answer and score collision queries of the CCD benchmark");
  ccd_command->add_option("FILE", ccd_options.files, "Query files (.csv), or folders of them")->required();
  ccd_command
      ->add_option("--method", ccd_options.method, "tight-inclusion or additive (default: tight-inclusion)")
      ->check(CLI::IsMember({"tight-inclusion", "additive"}).description(""))
      ->type_name("NAME");
  ccd_command->add_option("--kind", ccd_options.kind, "vertex-face or edge-edge (default: told by the path)")
      ->check(CLI::IsMember({"vertex-face", "edge-edge"}).description(""))
      ->type_name("KIND");
  ccd_command
      ->add_option("--tolerance", ccd_options.tolerance,
                   "Metres within which a near miss may count (default: 1e-6)")
      ->check(not_negative)
      ->type_name("M");
  ccd_command
      ->add_option("--max-iterations", ccd_options.max_iterations,
                   "Bound on the work for a query (default: 1000000)")
      ->check(not_negative)
      ->type_name("N");
  ccd_command
      ->add_option("--min-separation", ccd_options.minimum_separation,
                   "Distance that counts as a collision (default: 0)")
      ->check(not_negative)
      ->type_name("M");
  ccd_command->add_flag("--bisection-only", ccd_options.bisection_only,
                        "Tight inclusion without the separating directions before it");
  ccd_command->add_option("--json", ccd_options.json, "Write the results as JSON too")->type_name("FILE");
  ccd_command->footer("Example:\n  bulwark ccd vertex-face/data_0_0.csv --tolerance 1e-8");
  ccd_command->callback([&] { chosen = [&] { return ccd(ccd_options); }; });

  BenchOptions bench_options;
  CLI::App* bench_command =
      program.add_subcommand("bench", "Run a benchmark: broadphase, ccd, ipc, multibody, stiff");
  bench_command->add_option("NAME", bench_options.name, "The benchmark")->required();
  bench_command->add_option("SCENES", bench_options.scenes,
                            "stiff: scenes to compare affine and rigid bodies on");
  bench_command
      ->add_option("--largest", bench_options.largest,
                   "stiff: growth is measured up to N x N pairs (default: 100)")
      ->check(CLI::Range(5, 1000).description(""))
      ->type_name("N");
  bench_command
      ->add_option("--only", bench_options.only,
                   "stiff: one part: light, medium, full, kinds, growth or windmill")
      ->check(CLI::IsMember({"light", "medium", "full", "kinds", "growth", "windmill"}).description(""))
      ->type_name("PART");
  bench_command->add_option("--json", bench_options.json, "Write the results as JSON too")->type_name("FILE");
  bench_command->add_option("--threads", bench_options.threads, "Threads to use; 0 means all")
      ->check(not_negative)
      ->type_name("N");
  bench_command->add_flag("--quick", bench_options.quick, "The smallest sizes only");
  bench_command->footer("Example:\n  bulwark bench ipc --json ipc.json");
  bench_command->callback([&] { chosen = [&] { return bench(bench_options); }; });

  RestitutionOptions restitution_options;
  CLI::App* restitution_command =
      program.add_subcommand("restitution", "Contact distance, stiffness and damping for a wanted bounce");
  const CLI::Validator positive = CLI::Validator(CLI::PositiveNumber).description("");
  restitution_command->add_option("--speed", restitution_options.speed, "Speed of the impact, m/s")
      ->check(positive)
      ->type_name("V")
      ->required();
  restitution_command
      ->add_option("--bounce", restitution_options.bounce,
                   "Speed after over speed before, above 0 and below 1")
      ->check(positive)
      ->type_name("R")
      ->required();
  restitution_command->add_option("--step", restitution_options.step, "Time step, s (default: 0.01)")
      ->check(positive)
      ->type_name("H");
  restitution_command
      ->add_option("--integrator", restitution_options.integrator,
                   "implicit-euler, bdf2 or newmark (default: bdf2)")
      ->check(CLI::IsMember({"implicit-euler", "bdf2", "newmark"}).description(""))
      ->type_name("NAME");
  restitution_command
      ->add_option("--distance", restitution_options.distance,
                   "Contact distance, m (default: the smallest that will do)")
      ->check(positive)
      ->type_name("D");
  restitution_command
      ->add_option("--mass", restitution_options.mass,
                   "Average mass of the scene's stiff bodies, kg (default: 1)")
      ->check(positive)
      ->type_name("M");
  restitution_command
      ->add_option("--points", restitution_options.points,
                   "Contact points of an impact (default: 4, a box on its face)")
      ->check(positive)
      ->type_name("N");
  restitution_command->footer(
      "Example:\n  bulwark restitution --speed 4 --step 0.001 --bounce 0.7 --mass 1000");
  restitution_command->callback([&] { chosen = [&] { return restitution(restitution_options); }; });

  ImportOptions import_options;
  CLI::App* import_command =
      program.add_subcommand("import", "Make a scene from a robot (URDF) or a scene of rigid-ipc");
  import_command->add_option("FILE", import_options.file, "The file to read (URDF or JSON)")->required();
  import_command->add_option("-o,--output", import_options.scene, "The scene file to write")
      ->type_name("SCENE.json")
      ->required();
  import_command->add_flag("--rigid", import_options.rigid,
                           "rigid-ipc: bodies of kind rigid (default: affine)");
  import_command
      ->add_option("--meshes", import_options.mesh_folder, "rigid-ipc: where meshes are looked for first")
      ->type_name("DIR");
  import_command->add_flag("--copy-meshes", import_options.copy_meshes,
                           "Copy the mesh files into a folder beside the scene");
  import_command
      ->add_option("--package-path", import_options.package_paths,
                   "URDF: a folder of the packages of package:// paths; repeatable")
      ->type_name("DIR")
      ->take_all()
      ->expected(1);
  import_command
      ->add_option("--joint", import_options.joint_values,
                   "URDF: value of a joint at the start, rad or m; repeatable")
      ->type_name("NAME=VALUE")
      ->take_all()
      ->expected(1);
  import_command->add_flag("--free", import_options.free_base,
                           "URDF: the root link moves (default: it is held)");
  import_command->add_flag("--ground", import_options.ground, "URDF: a plane just below the robot");
  import_command->add_flag("--hold", import_options.hold,
                           "URDF: motors keep the joints where they start, by the effort they have");
  import_command->footer(
      "Example:\n  bulwark import robot.urdf -o robot.json --hold --joint elbow=1.2\n"
      "  bulwark import fixtures/3D/chain/3-links.json -o links.json");
  import_command->callback([&] { chosen = [&] { return import_scene(import_options); }; });

  bool names_only = false;
  CLI::App* scenes_command = program.add_subcommand("scenes", "List the scenes that come with Bulwark");
  scenes_command->add_flag("--names", names_only, "Print the names alone");
  scenes_command->footer("Example:\n  bulwark scenes | grep -i stack");
  scenes_command->callback([&] { chosen = [&] { return list_scenes(names_only); }; });

  bool markdown = false;
  CLI::App* schema_command = program.add_subcommand("schema", "Print the JSON schema of the scene file");
  schema_command->add_flag("--markdown", markdown, "Print the reference page instead");
  schema_command->footer("Example:\n  bulwark schema > scene.schema.json");
  schema_command->callback([&] { chosen = [&] { return print_schema(markdown); }; });

  CLI::App* doctor_command =
      program.add_subcommand("doctor", "Say what this machine offers, and what would help");
  doctor_command->footer("Example:\n  bulwark doctor");
  doctor_command->callback([&] { chosen = doctor; });

  std::string shell;
  CLI::App* completion_command =
      program.add_subcommand("completion", "Print what makes a shell complete commands and options");
  completion_command->add_option("SHELL", shell, "bash, zsh or fish")
      ->check(CLI::IsMember({"bash", "zsh", "fish"}).description(""))
      ->required();
  completion_command->footer(
      "Example:\n  bulwark completion bash > ~/.local/share/bash-completion/completions/bulwark");
  completion_command->callback([&] {
    chosen = [&] {
      fmt::print("{}", completion_script(program, shell));
      return 0;
    };
  });

  CLI::App* version_command =
      program.add_subcommand("version", "Print the version and what it was built with");
  version_command->footer("Example:\n  bulwark version");
  version_command->callback([&] { chosen = print_version; });

  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return program.exit(error) == 0 ? 0 : exit_bad_input;
  }
  return chosen();
}

int run_program(int argc, char** argv) {
  show_warnings_in_color();
  const std::string error_mark = painted("error:", Paint::error, stderr);
  try {
    return parse_and_run(argc, argv);
  } catch (const Error& error) {
    std::fflush(stdout);
    bulwark::app::say(stderr, "{} {}\n", error_mark, error.what());
    return error.exit_code();
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "{} {}: this takes more memory than there is\n", error_mark,
               fmt::join(argv + 1, argv + argc, " "));
  } catch (const std::exception& error) {
    fmt::print(stderr, "{} {}\n  This is a fault in Bulwark; please report it with the scene.\n", error_mark,
               error.what());
  }
  return 1;
}

}  // namespace
}  // namespace bulwark::app

int main(int argc, char** argv) {
  const int code = bulwark::app::run_program(argc, argv);
  // Where memory is limited, the threads that OpenBLAS starts when it is loaded wait for memory for ever, and
  // exit() would wait for them.
  std::fflush(nullptr);
  std::_Exit(code);
}
