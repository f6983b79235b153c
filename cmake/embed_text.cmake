# cmake -D in=FILE -D out=FILE.cpp -D function=NAME -D header=HEADER -P embed_text.cmake: a function that returns the text of a
# file. In pieces: some compilers limit the length of one literal.
file(READ ${in} text)
string(LENGTH "${text}" length)
set(pieces "")
set(at 0)
while(at LESS length)
  string(SUBSTRING "${text}" ${at} 16000 piece)
  string(APPEND pieces "    R\"__saltus__(${piece})__saltus__\"\n")
  math(EXPR at "${at} + 16000")
endwhile()
file(WRITE ${out} "#include \"${header}\"

#include <string_view>

namespace saltus {

std::string_view ${function}() {
  using namespace std::string_view_literals;
  static constexpr std::string_view kText =
${pieces}    \"\"sv;
  return kText;
}

}  // namespace saltus
")
