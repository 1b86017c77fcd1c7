// Looks for commands and declarations that make an object of one kind and name.
#include "deploy/script_makers.h"
#include <algorithm>
#include <cstring>

namespace lockstep {
namespace {

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '.';
}

bool has_word(std::string_view text, std::string_view word) {
    for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) return true;
    }
    return false;
}

// The path itself, and not only the beginning of a longer one.
bool names_path(std::string_view text, std::string_view path) {
    for (auto at = text.find(path); at != std::string_view::npos; at = text.find(path, at + 1)) {
        std::size_t end = at + path.size();
        if (end < text.size() && text[end] == '/') ++end;
        if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || (!is_word(text[end]) && text[end] != '/')))
            return true;
    }
    return false;
}

// What a command line calls the kind.
std::string_view command_word(std::string_view kind) {
    if (kind == "Secret") return "secret";
    if (kind == "ConfigMap") return "configmap";
    if (kind == "Kustomization") return "kustomization";
    if (kind == "HelmRelease") return "helmrelease";
    if (kind == "GitRepository" || kind == "HelmRepository" || kind == "OCIRepository" || kind == "Bucket")
        return "source";
    return {};
}

// `kind: Secret` of a heredoc, `kind = "Secret"` and `kubernetes_secret` of Terraform.
bool declares(std::string_view text, std::string_view kind) {
    if (kind == "Secret" && text.find("kubernetes_secret") != std::string_view::npos) return true;
    if (kind == "ConfigMap" && text.find("kubernetes_config_map") != std::string_view::npos) return true;
    for (auto at = text.find("kind"); at != std::string_view::npos; at = text.find("kind", at + 1)) {
        std::size_t from = at + 4;
        while (from < text.size() && (text[from] == ' ' || text[from] == ':' || text[from] == '=' || text[from] == '"'))
            ++from;
        if (from == at + 4 || !text.substr(from).starts_with(kind)) continue;
        const std::size_t end = from + kind.size();
        if (end == text.size() || !is_word(text[end])) return true;
    }
    return false;
}

bool creates_some(std::string_view text, std::string_view kind) {
    const std::string_view word = command_word(kind);
    return !word.empty() && text.find("create") != std::string_view::npos && has_word(text, word);
}

// A command that creates such an object under this name, or under one that a variable holds.
bool creates(std::string_view text, std::string_view kind, std::string_view name) {
    const std::string_view word = command_word(kind);
    if (word.empty()) return false;
    for (auto at = text.find("create"); at != std::string_view::npos; at = text.find("create", at + 1)) {
        std::size_t end = text.find('\n', at); // lines that end with a backslash go on
        while (end != std::string_view::npos && text[end - 1] == '\\')
            end = text.find('\n', end + 1);
        const std::string_view command = text.substr(at, end == std::string_view::npos ? end : end - at);
        if (!has_word(command, word)) continue;
        if (has_word(command, name) || command.find('$') != std::string_view::npos) return true;
    }
    return false;
}

} // namespace

// Few of them make anything, and many names are looked for.
const std::vector<const ScriptText*>& ScriptMakers::makers_of(std::string_view kind) {
    const auto [known, fresh] = by_kind_.try_emplace(std::string(kind));
    if (fresh)
        for (const ScriptText& script : scripts_)
            if (declares(script.text, kind) || creates_some(script.text, kind)) known->second.push_back(&script);
    return known->second;
}

std::string_view ScriptMakers::find(std::string_view kind, std::string_view name) {
    for (const ScriptText* script : makers_of(kind))
        if (memmem(script->text.data(), script->text.size(), name.data(), name.size()) &&
            has_word(script->text, name) && (creates(script->text, kind, name) || declares(script->text, kind)))
            return script->path;
    return {};
}

std::string_view ScriptMakers::applier_of(std::string_view file) const {
    for (const ScriptText& script : scripts_) {
        if (!has_word(script.text, "kubectl") || !has_word(script.text, "apply")) continue;
        for (std::string_view path = file; path.find('/') != std::string_view::npos;
             path = path.substr(0, path.rfind('/')))
            if (names_path(script.text, path)) return script.path;
    }
    return {};
}

bool is_test_script(std::string_view path) {
    while (true) {
        const std::size_t slash = path.find('/');
        const std::string_view part = path.substr(0, slash);
        for (std::string_view one : {"test", "tests", "e2e", "testdata", "fixtures", "examples", "example", "docs"})
            if (part == one) return true;
        if (slash == std::string_view::npos)
            return part.starts_with("test-") || part.starts_with("test_") ||
                   part.find("_test.") != std::string_view::npos || part.find("-test.") != std::string_view::npos;
        path.remove_prefix(slash + 1);
    }
}

} // namespace lockstep
