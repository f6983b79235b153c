// Carries the precompiled headers of the test programs (tests/CMakeLists.txt).
