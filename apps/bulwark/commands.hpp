// The commands of the program, each in a file of its own: a function adds the command with its options to the
// command line. When it was chosen it returns the exit code, or throws bulwark::Error, which main turns into
// a message and an exit code.
#pragma once

namespace bulwark::app {

struct CommandLine;

void add_run_command(CommandLine& line);
void add_validate_command(CommandLine& line);
void add_check_command(CommandLine& line);
void add_render_command(CommandLine& line);
void add_plot_command(CommandLine& line);
void add_export_command(CommandLine& line);
void add_explain_command(CommandLine& line);
void add_view_command(CommandLine& line);
void add_ccd_command(CommandLine& line);
void add_bench_command(CommandLine& line);
void add_restitution_command(CommandLine& line);
void add_import_command(CommandLine& line);
void add_scenes_command(CommandLine& line);
void add_schema_command(CommandLine& line);
void add_doctor_command(CommandLine& line);
void add_completion_command(CommandLine& line);
void add_version_command(CommandLine& line);

}  // namespace bulwark::app
