// The file operations that keep output whole when the process is killed at any moment: each either has
// happened or has not. All throw OutputError.
#pragma once

#include <functional>
#include <string>

#include "saltus/base/byte_sink.hpp"

namespace saltus {

// Makes an empty file beside `path`, to be filled and renamed to it: PATH.part, or PATH.N.part where somebody else's file has
// that name. Returns its name.
std::string make_part(const std::string& path);

// The file has the new content or the old one, never a part: written beside its place, brought to the
// disk, renamed. Links are followed; what is not a regular file (a pipe, a device) is written to, never
// replaced. `write` gives the content to the sink it is called with.
void replace_file(const std::string& path, const std::function<void(const ByteSink&)>& write);
void replace_file(const std::string& path, const std::string& text);

// Whether replace_file can put a file there: better asked before a long run than after it.
void check_writable(const std::string& path);

// Swaps what two names of one folder stand for. `visible` names a whole file at every moment.
void exchange_files(const std::string& visible, const std::string& other);

void copy_file(const std::string& from, const std::string& to);

// No error when there is none.
void remove_file(const std::string& path);

}  // namespace saltus
