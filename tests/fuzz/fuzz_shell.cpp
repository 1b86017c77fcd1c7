// Any bytes as a shell script: every command and word is inside the text, pipes and substitutions lead to commands.
#include "expect.h"
#include "index/shell.h"

using namespace lockstep;

namespace {

void check_word(const ShellWord& word, std::string_view text) {
    EXPECT(is_inside(word.span, text));
    for (const PlacedText::Piece& piece : word.pieces)
        EXPECT(piece.text <= word.text.size() && piece.file <= text.size());
    for (const ShellVariable& variable : word.variables) {
        EXPECT(variable.begin <= variable.end && variable.end <= word.text.size());
        EXPECT(is_inside(variable.origin, text));
    }
    EXPECT(is_inside(place_in(word, 0, word.text.size()), text));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    const std::string_view text = as_text(data, size);
    const auto commands = scan_shell(text, {0, static_cast<std::uint32_t>(size)});
    for (const ShellCommand& command : commands) {
        EXPECT(is_inside(command.span, text));
        EXPECT(command.pipes_into == no_command || command.pipes_into < commands.size());
        EXPECT(command.inside == no_command || command.inside < commands.size());
        EXPECT(name_index(command) <= command.words.size());
        command_name(command);
        positional_words(command);
        option_value(command, {"--version", "-n"});
        for (const ShellWord& word : command.words)
            check_word(word, text);
        for (const ShellWord& word : command.outputs)
            check_word(word, text);
        for (const ShellAssignment& assignment : command.assignments)
            check_word(assignment.value, text);
        for (const Span& body : command.heredocs)
            EXPECT(is_inside(body, text));
    }
    return 0;
}
