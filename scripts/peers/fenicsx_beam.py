#!/usr/bin/env python3
"""The sagging beam of `bulwark bench flexible` in FEniCSx (python3-dolfinx 0.5).

    /usr/bin/python3 fenicsx_beam.py PROBLEM.json RESULT.json      (mpirun -n 2 for two processes)

PROBLEM has the corners and cells of the mesh, the material, the load and the steps; the displacement is of
order 2 on straight cells, with all of it held at the least x and the force shared equally by the nodes at the
greatest. Each step is Bulwark's implicit Euler,

    M (u1 - u0 - h v0) / h^2 + f_int(u1) = f,    v1 = (u1 - u0) / h,

by Newton's method from u0 + h v0, until the residual is `tolerance` times the applied force. The mass matrix is exact
and assembled once; the internal forces use the rule of degree 2. Each direct solver that PETSc has is tried on
two steps, and the fastest makes all of them. RESULT has its name, the seconds of the stepping loop alone (wall and processor),
the number of linear solves, and the tip's displacement after each step.
"""
import json
import sys
import time

import numpy as np
import ufl
from dolfinx import __version__, fem, mesh
from dolfinx.fem import petsc
from mpi4py import MPI
from petsc4py import PETSc

COMM = MPI.COMM_WORLD
SOLVERS = [("lu", "petsc"), ("cholesky", "petsc"), ("cholesky", "cholmod"), ("lu", "mumps"), ("cholesky", "mumps"),
           ("lu", "superlu_dist")]
PARALLEL = ("mumps", "superlu_dist")


def beam_mesh(problem):
    """The first process has all cells; FEniCSx spreads them."""
    domain = ufl.Mesh(ufl.VectorElement("Lagrange", "tetrahedron", 1))
    first = COMM.rank == 0
    points = np.array(problem["points"]) if first else np.zeros((0, 3))
    cells = np.array(problem["cells"], dtype=np.int64) if first else np.zeros((0, 4), dtype=np.int64)
    return mesh.create_mesh(COMM, cells, points, domain)


def energy_density(material, gradient):
    F = ufl.Identity(3) + gradient
    C = F.T * F
    if material["model"] == "svk":
        young, poisson = material["young"], material["poisson"]
        mu, lame = young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))
        # From the gradient, not from F^T F - I, which loses the digits of small strains.
        E = (gradient + gradient.T + gradient.T * gradient) / 2
        return mu * ufl.inner(E, E) + lame / 2 * ufl.tr(E) ** 2
    J = ufl.det(F)
    I1 = ufl.tr(C)
    I2 = (I1 ** 2 - ufl.tr(C * C)) / 2
    return (material["c10"] * (J ** (-2 / 3) * I1 - 3) + material["c01"] * (J ** (-4 / 3) * I2 - 3) +
            material["bulk"] / 2 * (J - 1) ** 2)


class Beam:
    def __init__(self, problem):
        self.problem = problem
        domain = beam_mesh(problem)
        self.V = V = fem.VectorFunctionSpace(domain, ("Lagrange", 2))
        self.u = fem.Function(V)
        du, v = ufl.TrialFunction(V), ufl.TestFunction(V)
        dx = ufl.dx(metadata={"quadrature_degree": 2})
        internal = ufl.derivative(energy_density(problem["material"], ufl.grad(self.u)) * dx, self.u, v)
        self.internal = fem.form(internal)
        self.stiffness = fem.form(ufl.derivative(internal, self.u, du))
        mass = fem.form(problem["material"]["density"] * ufl.inner(du, v) * ufl.dx(metadata={"quadrature_degree": 4}))

        x = V.tabulate_dof_coordinates()
        xs = np.array(problem["points"])[:, 0]
        slack = 1e-9 * (xs.max() - xs.min())
        held = fem.locate_dofs_geometrical(V, lambda p: p[0] < xs.min() + slack)
        self.fixed = fem.dirichletbc(np.zeros(3), held, V)
        self.M = petsc.assemble_matrix(mass, bcs=[self.fixed], diagonal=0.0)
        self.M.assemble()
        self.K = petsc.create_matrix(self.stiffness)
        owned = V.dofmap.index_map.size_local
        loaded = [i for i in range(owned) if x[i, 0] > xs.max() - slack]
        self.nodes = V.dofmap.index_map.size_global
        self.load = self.u.vector.duplicate()
        share = np.array(problem["force"]) / COMM.allreduce(len(loaded))
        with self.load.localForm() as local:
            for i in loaded:
                local.array_w[3 * i:3 * i + 3] = share
        distances = np.linalg.norm(x[:owned] - np.array(problem["tip"]), axis=1)
        self.tip = int(distances.argmin()) if owned else -1
        self.tip_is_here = owned > 0 and distances[self.tip] < slack

    def residual(self, u, predicted):
        """Of the equations of motion, less the applied force; zero where the beam is held."""
        u.ghostUpdate(addv=PETSc.InsertMode.INSERT, mode=PETSc.ScatterMode.FORWARD)
        r = petsc.assemble_vector(self.internal)
        r.ghostUpdate(addv=PETSc.InsertMode.ADD, mode=PETSc.ScatterMode.REVERSE)
        inertia = u.copy()
        inertia.axpy(-1, predicted)
        inertia.scale(1 / self.problem["step"] ** 2)
        self.M.multAdd(inertia, r, r)
        r.axpy(-1, self.load)
        fem.set_bc(r, [self.fixed], u, 0.0)
        return r

    def run(self, kind, package, steps):
        h = self.problem["step"]
        solver = PETSc.KSP().create(COMM)
        solver.setType("preonly")
        solver.getPC().setType(kind)
        solver.getPC().setFactorSolverType(package)
        self.K.setOption(PETSc.Mat.Option.SPD, True)
        solver.setOperators(self.K)
        u = self.u.vector
        u.set(0)
        before, velocity = u.copy(), u.copy()
        update = u.copy()
        enough = self.problem["tolerance"] * np.linalg.norm(self.problem["force"])
        solves, tips = 0, []
        COMM.barrier()
        start, processor_start = time.perf_counter(), time.process_time()
        for _ in range(steps):
            u.copy(before)
            u.axpy(h, velocity)
            predicted = u.copy()
            r = self.residual(u, predicted)
            for _ in range(25):
                self.K.zeroEntries()
                petsc.assemble_matrix(self.K, self.stiffness, bcs=[self.fixed])
                self.K.assemble()
                self.K.axpy(1 / h ** 2, self.M, PETSc.Mat.Structure.SAME_NONZERO_PATTERN)
                solver.setOperators(self.K)
                solver.solve(r, update)
                u.axpy(-1, update)
                solves += 1
                r = self.residual(u, predicted)
                if r.norm() <= enough:
                    break
            else:
                raise RuntimeError("Newton's method does not converge")
            u.copy(velocity)
            velocity.axpy(-1, before)
            velocity.scale(1 / h)
            tips.append(u.array[3 * self.tip:3 * self.tip + 3].tolist() if self.tip_is_here else None)
        COMM.barrier()
        seconds, processor_seconds = time.perf_counter() - start, time.process_time() - processor_start
        owners = [t for t in COMM.allgather(tips) if t and t[0] is not None]
        return {"solver": f"{package} {kind}", "seconds": seconds,
                "processor_seconds": processor_seconds, "solves": solves, "tip": owners[0]}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        problem = json.load(file)
    beam = Beam(problem)
    best = None
    for kind, package in SOLVERS:
        if COMM.size > 1 and package not in PARALLEL:
            continue
        try:
            trial = beam.run(kind, package, min(2, problem["steps"]))
        except (PETSc.Error, RuntimeError):
            continue  # not in this build of PETSc, or not for this matrix
        if best is None or trial["seconds"] < best[0]:
            best = (trial["seconds"], kind, package)
    # All processes take the same one.
    _, kind, package = COMM.bcast(best)
    result = beam.run(kind, package, problem["steps"])
    result["version"] = __version__
    result["nodes"] = beam.nodes
    if COMM.rank == 0:
        with open(sys.argv[2], "w", encoding="utf-8") as file:
            json.dump(result, file)


if __name__ == "__main__":
    main()
