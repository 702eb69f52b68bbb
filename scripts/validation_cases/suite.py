"""What the cases of scripts/validation share: running scenes, reading their tables, and charts."""
import csv
import json
import pathlib
import shutil
import subprocess

from chart import write_chart


class Run:
    """The folder of a run, with its tables as lists of rows by column."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def table(self, name):
        with (self.folder / name).open(newline="") as file:
            return list(csv.DictReader(file))

    def of(self, name, **wanted):
        """The rows of a table with the wanted texts, as columns of numbers."""
        rows = [row for row in self.table(name) if all(row[key] == value for key, value in wanted.items())]
        columns = {}
        for key in rows[0] if rows else []:
            try:
                columns[key] = [float(row[key]) for row in rows]
            except ValueError:
                continue
        return columns

    def joint(self, name):
        return self.of("joints.csv", joint=name)

    def seconds(self):
        return json.loads((self.folder / "summary.json").read_text())["seconds"]["total"]


class Suite:
    def __init__(self, root, program, runs, case, fresh):
        self.root, self.program, self.runs, self.case, self.fresh = root, program, runs, case, fresh

    def run(self, scene, label, *settings, steps=None):
        """Runs scenes/validation/SCENE.json with `--set` of the settings ("/path=value")."""
        folder = self.runs / self.case / label
        command = [self.program, "run", str(self.root / "scenes" / "validation" / f"{scene}.json"), "-o", str(folder)]
        for setting in settings:
            command += ["--set", setting]
        if steps:
            command += ["--steps", str(steps)]
        mark = folder / "validation_command.json"
        program = pathlib.Path(self.program).stat()
        meshes = [[str(file), file.stat().st_mtime_ns] for file in sorted((self.root / "scenes").rglob("meshes/*"))]
        identity = json.dumps([command, pathlib.Path(command[2]).read_text(), program.st_size, program.st_mtime_ns, meshes])
        if self.fresh or not mark.exists() or mark.read_text() != identity:
            shutil.rmtree(folder, ignore_errors=True)
            print(f"  {label}", flush=True)
            done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            if done.returncode != 0:
                raise SystemExit(f"{' '.join(command)}\nended with code {done.returncode}:\n{done.stderr}")
            mark.write_text(identity)
        return Run(folder)

    def chart(self, name, title, curves, x, y, **options):
        """Draws docs/images/validation_NAME.svg; returns the line of Markdown that shows it. `curves`: (label, xs, ys)."""
        file = f"images/validation_{name}.svg"
        write_chart(self.root / "docs" / file, title, curves, x, y, **options)
        return f"![{title}]({file})"

    @staticmethod
    def markdown_table(head, rows):
        lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
        return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows])
