// BLAS on one thread, for as long as one of these lives: results of OpenBLAS depend on its number of threads, and
// CHOLMOD asks OpenMP for four in its loops, which collapses on busy cores. Both numbers belong to the process:
// they are put back when the last one goes.
#pragma once

namespace bulwark {

class SingleThreadedBlas {
 public:
  SingleThreadedBlas();
  ~SingleThreadedBlas();
  SingleThreadedBlas(const SingleThreadedBlas&) = delete;
  SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;
};

}  // namespace bulwark
