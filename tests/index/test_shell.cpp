// The shell scanner: what counts as a command, what is known of its words, and where they are.
#include "index/shell.h"
#include "yaml/parse.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

std::vector<ShellCommand> scan(std::string_view text) {
    return scan_shell(text, {0, static_cast<std::uint32_t>(text.size())});
}

// `name word word; name`: a word that is not known has a `~` before it.
std::string told(const std::vector<ShellCommand>& commands) {
    std::string out;
    for (const ShellCommand& command : commands) {
        if (!out.empty()) out += "; ";
        std::string line;
        for (const ShellAssignment& assignment : command.assignments)
            line += (line.empty() ? "" : " ") + assignment.name + ":=" + (assignment.value.known ? "" : "~") +
                    assignment.value.text;
        for (const ShellWord& word : command.words)
            line += (line.empty() ? "" : " ") + std::string(word.known ? "" : "~") + word.text;
        out += line;
    }
    return out;
}

std::string told(std::string_view text) {
    return told(scan(text));
}

std::string_view at(std::string_view text, Span span) {
    return text.substr(span.begin, span.end - span.begin);
}

} // namespace

TEST_CASE("separators, pipes and continuations cut commands") {
    CHECK(told("a 1; b 2 && c || d & e\nf \\\n  --x | g") == "a 1; b 2; c; d; e; f --x; g");
    const auto commands = scan("a | b |& c; d |\n e");
    REQUIRE(commands.size() == 5);
    CHECK(commands[0].pipes_into == 1);
    CHECK(commands[1].pipes_into == 2);
    CHECK(commands[2].pipes_into == no_command);
    CHECK(commands[3].pipes_into == 4);
}

TEST_CASE("comments are dropped, a # inside a word is not a comment") {
    CHECK(told("# helm install x\na b # c\nd e#f '# g'") == "a b; d e#f # g");
}

TEST_CASE("quotes are removed, over lines too, and the span keeps them") {
    const std::string_view text = "echo 'one two' \"three\nfour\" fi\"ve\"\\ six $'s\\n'";
    const auto commands = scan(text);
    REQUIRE(commands.size() == 1);
    REQUIRE(commands[0].words.size() == 5);
    CHECK(commands[0].words[1].text == "one two");
    CHECK(at(text, commands[0].words[1].span) == "'one two'");
    CHECK(at(text, place_in(commands[0].words[1], 4, 7)) == "two");
    CHECK(commands[0].words[2].text == "three\nfour");
    CHECK(commands[0].words[3].text == "five six");
    CHECK_FALSE(commands[0].words[4].known);
    CHECK(at(text, commands[0].span) == text);
}

TEST_CASE("what a shell or a template expands makes a word unknown") {
    CHECK(told("a $X ${X} ${X:-1} $(b) `c` \"$1\" x{{ .v }}y ${{ env.x }} $${Y} $((1 + 2))") ==
          "b; c; a ~$X ~${X} ~${X:-1} ~$(b) ~`c` ~$1 ~x{{ .v }}y ~${{ env.x }} ~$${Y} ~$((1 + 2))");
    CHECK(told("a '$X' '.items[] | {b: .c}' $ 5$") == "a $X .items[] | {b: .c} $ 5$");
    // Terraform and Flux fill in `${}` inside single quotes as well.
    CHECK(told("a '${X}' '{{ .v }}'") == "a ~${X} ~{{ .v }}");
}

TEST_CASE("commands inside substitutions come first and know what holds them") {
    const auto commands = scan("a \"$(b | c \"$(d)\")\" <(e)");
    CHECK(told(commands) == "b; d; c ~$(d); e; a ~$(b | c \"$(d)\") ~<(e)");
    REQUIRE(commands.size() == 5);
    CHECK(commands[0].pipes_into == 2);
    CHECK(commands[1].inside == 2);
    CHECK(commands[0].inside == 4);
    CHECK(commands[3].inside == 4);
    CHECK(commands[4].inside == no_command);
}

TEST_CASE("keywords are no commands") {
    CHECK(told("if a; then b; elif ! c; then d; else e; fi") == "a; b; c; d; e");
    CHECK(told("for x in 1 $(l); do b; done < f\nwhile read -r y; do c; done | d") == "l; x:=~; b; read -r y; c; d");
    CHECK(told("for ((i=0; i<3; i++)); do b; done; until c; do d; done") == "b; c; d");
    CHECK(told("f() { a; }\nfunction g { b; }\nfunction h() { c; }\nf") == "a; b; c; f");
    CHECK(told("(a; b) && { c; }; ((x = 1)); d") == "a; b; c; d");
    CHECK(told("[[ $a == b && -n c || ( d ) ]] && e") == "[[ ~$a == b -n c d ]]; e");
    CHECK(told("echo if then fi { }") == "echo if then fi { }");
}

TEST_CASE("patterns of a case are no commands") {
    CHECK(told("case \"$1\" in\n  a|b) c ;;\n  # kubectl\n  (\"x)\") d;;\n  *) case y in z) e;; esac; f ;;\nesac\ng") ==
          "c; d; e; f; g");
    CHECK(told("x $(case y in z) e;; esac) w; v") == "e; x ~$(case y in z) e;; esac) w; v");
}

TEST_CASE("a condition marks what may not run") {
    const auto commands = scan("a; if b; then c; fi; d && e; f || g | h; i");
    std::string certain;
    for (const ShellCommand& command : commands)
        if (!command.conditional) certain += command.words[0].text;
    CHECK(certain == "adfi");
}

TEST_CASE("redirections are no words; files written are kept apart") {
    const auto commands = scan("a >out 2>&1 b &>>log < in <<< 'word' >&2 c 2>/dev/null");
    CHECK(told(commands) == "a b c");
    REQUIRE(commands.size() == 1);
    REQUIRE(commands[0].outputs.size() == 3);
    CHECK(commands[0].outputs[0].text == "out");
    CHECK(commands[0].outputs[1].text == "log");
}

TEST_CASE("the body of a heredoc is not commands and has its span") {
    const std::string_view text =
        "a <<EOF | b\nhelm install x\nEOF\nc <<-'X' 2>&1\n\tone $(d)\n\tX\ne <<Y\nnever ended";
    const auto commands = scan(text);
    CHECK(told(commands) == "a; b; c; e");
    REQUIRE(commands.size() == 4);
    REQUIRE(commands[0].heredocs.size() == 1);
    CHECK(at(text, commands[0].heredocs[0]) == "helm install x\n");
    CHECK(commands[1].heredocs.empty());
    REQUIRE(commands[2].heredocs.size() == 1);
    CHECK(at(text, commands[2].heredocs[0]) == "\tone $(d)\n");
    REQUIRE(commands[3].heredocs.size() == 1);
    CHECK(at(text, commands[3].heredocs[0]) == "never ended");
    CHECK(told("x $(cat <<E\n)\nE\n) y; z") == "cat; x ~$(cat <<E\n)\nE\n) y; z");
}

TEST_CASE("assignments are apart from words") {
    const auto commands = scan("K=/etc/x helm ls; A=1 B=\"two\"; export C=3 D; E=(a $(b)); sudo F=4 env G=5 h i=6");
    CHECK(told(commands) == "K:=/etc/x helm ls; A:=1 B:=two; C:=3 export D; b; E:=~(a $(b)); F:=4 G:=5 sudo env h i=6");
    REQUIRE(commands.size() == 6);
    CHECK_FALSE(is_assignment(commands[0]));
    CHECK(is_assignment(commands[1]));
    CHECK(is_assignment(commands[2]));
    CHECK(command_name(commands[5]) == "h");
    REQUIRE(assignment_of(commands[5], "G"));
    CHECK(assignment_of(commands[5], "G")->value.text == "5");
    CHECK_FALSE(assignment_of(commands[5], "i"));
}

TEST_CASE("a variable assigned once from a known text is resolved in what follows") {
    const std::string_view text = "VER=1.2\nTAG=\"v$VER\"\na --version=${VER} $TAG \"x-$TAG-y\"";
    const auto commands = scan(text);
    REQUIRE(commands.size() == 3);
    CHECK(told(commands) == "VER:=1.2; TAG:=v1.2; a --version=1.2 v1.2 x-v1.2-y");
    const ShellWord& word = commands[2].words[1];
    CHECK(at(text, word.span) == "--version=${VER}");
    CHECK(place_in(word, 10, 13) == Span{4, 7});
    CHECK(at(text, place_in(word, 0, 9)) == "--version");
}

TEST_CASE("a variable that may have another value is not resolved") {
    CHECK(told("a $V\nV=1") == "a ~$V; V:=1");
    CHECK(told("V=1\nV=2\na $V") == "V:=1; V:=2; a ~$V");
    CHECK(told("if x; then V=1; fi\na $V") == "x; V:=1; a ~$V");
    CHECK(told("x || V=1\na $V") == "x; V:=1; a ~$V");
    CHECK(told("V=1\nread V\na $V") == "V:=1; read V; a ~$V");
    CHECK(told("V=1\nV+=2\na $V") == "V:=1; V:=~2; a ~$V");
    CHECK(told("for V in 1; do a $V; done") == "V:=~; a ~$V");
    CHECK(told("V=$(x)\na $V") == "x; V:=~$(x); a ~$V");
    CHECK(told("V=1 a $V") == "V:=1 a ~$V");
}

TEST_CASE("an unquoted variable with blanks becomes several words") {
    const auto commands = scan("K=\"kubectl -n x\"\n$K get pods\na \"$K\" b$K");
    REQUIRE(commands.size() == 3);
    CHECK(told(commands) == "K:=kubectl -n x; kubectl -n x get pods; a kubectl -n x ~b$K");
    CHECK(commands[2].words.size() == 3);
    CHECK(command_name(commands[1]) == "kubectl");
}

TEST_CASE("values that grow by doubling stay small") {
    std::string text = "A0=0123456789\n";
    for (int k = 1; k < 60; ++k)
        text += "A" + std::to_string(k) + "=$A" + std::to_string(k - 1) + "$A" + std::to_string(k - 1) + "\n";
    for (const ShellCommand& command : scan(text))
        CHECK(command.assignments[0].value.text.size() < 10000);
}

TEST_CASE("an environment given from outside is used until the script assigns the name") {
    std::vector<ShellCommand> commands;
    const std::string_view text = "a $X $Y\nY=2\na $Y";
    append_script(commands, placed_slice(text, {0, 17}, 0));
    ShellAssignment x{"X", {}, {}}, y{"Y", {}, {}};
    for (const char c : std::string_view("one"))
        x.value.append(c, 90), y.value.append(c, 90);
    resolve_variables(commands, {x, y});
    CHECK(told(commands) == "a one one; Y:=2; a 2");
}

TEST_CASE("commands that run another are looked through") {
    const auto name = [](std::string_view text) {
        const auto commands = scan(text);
        return commands.empty() ? std::string() : std::string(command_name(commands.back()));
    };
    CHECK(name("sudo -u root -E /usr/local/bin/helm ls") == "helm");
    CHECK(name("env -i A=b C=d flux get") == "flux");
    CHECK(name("timeout -k 5 30 kubectl get") == "kubectl");
    CHECK(name("exec time nohup xargs -n 1 -I{} kubectl delete {}") == "kubectl");
    CHECK(name("sudo k3s kubectl get") == "kubectl");
    CHECK(name("k3s server") == "k3s");
    CHECK(name("command -v helm") == "command");
    CHECK(name("command helm") == "helm");
    CHECK(name("$TOOL x") == "");
    CHECK(name("exec") == "exec");
}

TEST_CASE("the text of sh -c is read as commands") {
    const std::string_view text =
        "sudo bash -euo pipefail -c 'curl x | sh -s'; sh -ec \"a \\\"b c\\\" $(d)\"; bash x.sh -c y";
    const auto commands = scan(text);
    REQUIRE(commands.size() == 7);
    CHECK(commands[1].words[0].text == "curl");
    CHECK(at(text, commands[1].span) == "curl x");
    CHECK(commands[1].pipes_into == 2);
    CHECK(commands[1].inside == 0);
    CHECK(commands[3].words[0].text == "d");
    CHECK(commands[5].words.size() == 3);
    CHECK(commands[5].words[1].text == "b c");
    CHECK(at(text, commands[5].words[2].span) == "$(d)");
    CHECK(script_argument(commands[6]) == nullptr);
}

TEST_CASE("options and positional words") {
    const auto commands =
        scan("helm -n ns --kubeconfig=k install cilium cilium/cilium --version 1.2 --set a=b --wait -o=x\n"
             "kubectl patch hr x --type merge -nflux -p '{}' --subresource=status -- y --type z");
    REQUIRE(commands.size() == 2);
    const auto value = [](const ShellCommand& command, std::initializer_list<std::string_view> names) {
        const auto found = option_value(command, names);
        return found ? found->text : "none";
    };
    CHECK(value(commands[0], {"--version"}) == "1.2");
    CHECK(value(commands[0], {"-n", "--namespace"}) == "ns");
    CHECK(value(commands[0], {"--kubeconfig"}) == "k");
    CHECK(value(commands[0], {"-o"}) == "x");
    CHECK(value(commands[0], {"--repo"}) == "none");
    CHECK(has_option(commands[0], {"--wait"}));
    CHECK_FALSE(has_option(commands[0], {"--wait-for-jobs"}));
    CHECK(value(commands[1], {"--subresource"}) == "status");
    CHECK(value(commands[1], {"--type"}) == "merge");
    CHECK(value(commands[1], {"-n"}) == "flux");
    const auto words = [](const ShellCommand& command) {
        std::string out;
        for (const ShellWord* word : positional_words(command))
            out += word->text + " ";
        return out;
    };
    CHECK(words(commands[0]) == "install cilium cilium/cilium ");
    CHECK(words(commands[1]) == "patch hr x y --type z ");
}

TEST_CASE("lines of a template that only steer are no commands") {
    CHECK(told("{{- if .Values.x }}\na {{ .b }}\n{{- else }}{{/* c */}}\nd\n{{- end }}\n%{ if e ~}\nf\n%{ endif ~}") ==
          "a ~{{ .b }}; d; f");
    CHECK(told("a %{ if b }--c%{ endif } d") == "a ~%{ if b }--c%{ endif } d");
    CHECK(told("curl -w '%{http_code}' x") == "curl -w %{http_code} x");
}

TEST_CASE("an indented slice of a file is read as its lines, places count from the file's start") {
    const std::string_view text = "run: |\n    a \\\n      b <<E\n    body\n    E\n    c 'd\n    e'\nnext: 1\n";
    const auto commands = scan_shell(text, {7, static_cast<std::uint32_t>(text.find("next"))}, 4);
    REQUIRE(commands.size() == 2);
    CHECK(at(text, commands[0].words[1].span) == "b");
    CHECK(at(text, commands[0].heredocs.at(0)) == "    body\n");
    CHECK(commands[1].words[1].text == "d\ne");
}

TEST_CASE("scalars of every YAML style give the same commands with places in the file") {
    const std::string_view text = "- a 'b b' \"c\\d\" --e\n"
                                  "- 'a ''b b'' \"c\\d\" --e'\n"
                                  "- \"a 'b b' \\\"c\\\\d\\\"\\x20--e\"\n"
                                  "- |\n  a 'b b' \\\n    \"c\\d\" --e\n"
                                  "- >-\n  a 'b b'\n  \"c\\d\"\n  --e\n"
                                  "- a 'b b'\n  \"c\\d\"\n  --e\n"
                                  "- |2\n   a 'b b' \"c\\d\" --e\n";
    const YamlText yaml = parse_yaml(text);
    REQUIRE(yaml.documents.size() == 1);
    const auto items = NodeRef(&yaml, yaml.documents[0].root).items();
    REQUIRE(items.size() == 7);
    for (const NodeRef item : items) {
        CAPTURE(std::string(item.source()));
        const auto commands = scan_shell(item);
        CHECK(told(commands) == "a b b c\\d --e");
        REQUIRE(commands.size() == 1);
        REQUIRE(commands[0].words.size() == 4);
        CHECK(at(text, commands[0].words[3].span) == "--e");
        CHECK(commands[0].words[1].text == "b b");
        CHECK(at(text, place_in(commands[0].words[1], 0, 3)) == "b b");
    }
}

TEST_CASE("words given directly make a command, and no shell expands them") {
    const YamlText yaml = parse_yaml("[sudo, sh, -c, \"V=1; a $V $(b)\"]");
    std::vector<ShellWord> words;
    for (const NodeRef item : NodeRef(&yaml, yaml.documents.at(0).root).items())
        words.push_back(word_from_scalar(item));
    std::vector<ShellCommand> commands;
    append_words(commands, std::move(words));
    resolve_variables(commands);
    CHECK(told(commands) == "sudo sh -c V=1; a $V $(b); V:=1; b; a 1 ~$(b)");
    CHECK(commands[1].inside == 0);
}

TEST_CASE("broken scripts end, and what came before is kept") {
    for (const std::string_view tail :
         {"'",  "\"", "$(", "`", "${", "{{", "((",   "[[",    "case x in", "<<E\n",     "x=(",
          "<(", "if", "\\", "$", "a[", "%{", "esac", "done)", "}}",        "sh -c \"$("}) {
        CAPTURE(std::string(tail));
        const auto commands = scan("first one\n" + std::string(tail));
        REQUIRE_FALSE(commands.empty());
        CHECK(told({commands[0]}) == "first one");
    }
    CHECK(scan("").empty());
    CHECK(scan(" \n\t;;&&||)\n").empty());
}

TEST_CASE("deep nesting ends at a limit and what follows is still read") {
    for (const std::string_view open : {"$(", "(", "\"$("}) {
        const std::string close = open.starts_with('"') ? ")\"" : ")";
        std::string text;
        for (int k = 0; k < 30; ++k)
            text += open;
        text += "a";
        for (int k = 0; k < 30; ++k)
            text += close;
        CHECK(scan(text + "; last").back().words.at(0).text == "last");
        std::string deep;
        for (int k = 0; k < 100000; ++k)
            deep += open;
        CHECK(scan("first; " + deep).at(0).words.at(0).text == "first");
    }
}
