// BULWARK_HD marks a function that runs on the CPU and, compiled by nvcc, on the GPU.
#pragma once

#ifdef __CUDACC__
#define BULWARK_HD __host__ __device__
#else
#define BULWARK_HD
#endif
