// BLAS and OpenMP below the sparse factorisations start one thread per core unless told not to.
// Sums then depend on the machine, and a solve on one thread is charged for all of them.
#pragma once

namespace saltus {

// Holds OpenBLAS and OpenMP to one thread, where they are loaded. For OpenMP the calling thread's
// setting counts, so call it on the thread that factorises. Cheap; may be called every time.
void use_one_library_thread();

}  // namespace saltus
