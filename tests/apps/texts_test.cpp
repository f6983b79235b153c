// Schema, completion and manual: what the program writes for editors, shells and readers.
#include "apps/program.hpp"

namespace saltus::texts_test {

using Texts = ProgramTest;

TEST_F(Texts, the_schema_is_json_with_the_tables_of_a_scene) {
  const Outcome outcome = run("schema");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const nlohmann::json schema = nlohmann::json::parse(outcome.out);
  const auto& law = schema["properties"]["law"]["properties"];
  EXPECT_EQ(law["restitution"]["maximum"], 1);
  EXPECT_NE(law["restitution"]["description"].get<std::string>().find("newton"), std::string::npos);
  EXPECT_EQ(schema["properties"]["bodies"]["type"], "array");
}

TEST_F(Texts, bash_completes_commands_options_words_and_scenes) {
  const Outcome script = run("completion bash");
  ASSERT_EQ(script.exit_code, 0) << script.err;
  write("completion.bash", script.out);
  const auto complete = [&](const std::string& words) {
    const std::string path = std::filesystem::path(SALTUS_PROGRAM).parent_path().string();
    write("try.bash",
          "source completion.bash\nPATH='" + path + "':$PATH\nCOMP_WORDS=(" + words +
              ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_saltus\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n");
    const std::string command = "cd '" + folder_.string() + "' && bash try.bash > said.txt 2> told.txt";
    EXPECT_EQ(std::system(command.c_str()), 0) << read_text(folder_ / "told.txt");
    return read_text(folder_ / "said.txt");
  };
  EXPECT_EQ(complete("saltus ren"), "render\n");
  EXPECT_EQ(complete("saltus fc so"), "solve\n");
  EXPECT_EQ(complete("saltus run --final"), "--final-scene\n");
  EXPECT_EQ(complete("saltus run arch --solver ne"), "newton\n");
  EXPECT_NE(complete("saltus run bouncing-ball").find("bouncing-ball-2d\n"), std::string::npos);
  // Files only where a file can stand, studies only where a study can.
  EXPECT_EQ(complete("saltus completion ''"), "--help\nbash\nzsh\nman\n");
  EXPECT_EQ(complete("saltus fc completion").find("completion.bash"), std::string::npos);
  EXPECT_EQ(complete("saltus info completion"), "completion.bash\n");
  EXPECT_EQ(complete("saltus run wall-tilt"), "wall-tilt\n");
  EXPECT_EQ(complete("saltus study wall-tilt"), "wall-tilt-friction\n");
}

TEST_F(Texts, the_manual_has_every_command) {
  const Outcome outcome = run("completion man");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out.rfind(".TH SALTUS 1", 0), 0u);
  for (const std::string command : {"run", "render", "schema", "fc solve"})
    EXPECT_NE(outcome.out.find(".SS saltus " + command), std::string::npos) << command;
}

}  // namespace saltus::texts_test
