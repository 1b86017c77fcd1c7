// Finds `${NAME}` as Flux does.
#include "deploy/variable_uses.h"
#include "deploy/flux_spec.h"

namespace lockstep {
namespace {

bool starts_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool continues_name(char c) {
    return starts_name(c) || (c >= '0' && c <= '9');
}

// The texts `${NAME}`, in order.
std::vector<std::string_view> written_in(std::string_view text) {
    std::vector<std::string_view> found;
    for (std::size_t at = text.find('$'); at != std::string_view::npos && at + 1 < text.size();) {
        if (text[at + 1] == '$') { // an escape takes both
            at = text.find('$', at + 2);
            continue;
        }
        std::size_t end = at + 2;
        if (text[at + 1] == '{' && end < text.size() && starts_name(text[end])) {
            while (end < text.size() && continues_name(text[end]))
                ++end;
            if (end < text.size() && text[end] == '}') found.push_back(text.substr(at, end + 1 - at));
        }
        at = text.find('$', at + 1);
    }
    return found;
}

bool is_commented(std::string_view text, std::string_view written) {
    const std::string_view before = text.substr(0, static_cast<std::size_t>(written.data() - text.data()));
    const std::string_view line = before.substr(before.rfind('\n') + 1);
    const std::size_t first = line.find_first_not_of(" \t");
    return text.find('\n') != std::string_view::npos && first != std::string_view::npos && line[first] == '#';
}

bool is_value(std::string_view text, std::string_view written) {
    if (text == written) return true;
    std::string_view before = text.substr(0, static_cast<std::size_t>(written.data() - text.data()));
    std::string_view after = text.substr(before.size() + written.size());
    const bool quoted = before.ends_with('"') && after.starts_with('"');
    if (quoted) {
        before.remove_suffix(1);
        after.remove_prefix(1);
    }
    return before.ends_with(": ") && (after.empty() || after.starts_with('\n'));
}

void add_uses(const Value& value, const Tree& files, std::vector<VariableUse>& uses) {
    if (value.is_scalar()) {
        std::vector<VariableUse> own = variable_uses(value, files);
        uses.insert(uses.end(), own.begin(), own.end());
    }
    for (const Value* child : value.all())
        add_uses(*child, files, uses);
}

} // namespace

std::vector<VariableUse> variable_uses(const Value& text, const Tree& files) {
    std::vector<VariableUse> uses;
    if (text.text.find("${") == std::string_view::npos) return uses;
    std::string_view source;
    if (text.place.file < files.files.size())
        source = std::string_view(files.files[text.place.file].text)
                     .substr(text.place.span.begin, text.place.span.end - text.place.span.begin);
    std::size_t from = 0;
    for (std::string_view written : written_in(text.text)) {
        VariableUse use{std::string(written.substr(2, written.size() - 3)), text.place, written == text.text,
                        is_commented(text.text, written), is_value(text.text, written)};
        if (const std::size_t at = source.find(written, from); at != std::string_view::npos) {
            use.place.span.begin = text.place.span.begin + static_cast<std::uint32_t>(at);
            use.place.span.end = use.place.span.begin + static_cast<std::uint32_t>(written.size());
            from = at + written.size();
        }
        uses.push_back(std::move(use));
    }
    return uses;
}

std::vector<VariableUse> variable_uses_in(const Value& tree, const Tree& files) {
    std::vector<VariableUse> uses;
    add_uses(tree, files, uses);
    return uses;
}

bool is_substitution_off(const Value& tree) {
    constexpr std::string_view key = "kustomize.toolkit.fluxcd.io/substitute";
    return cell_at(&tree, {"metadata", "annotations", key}).text == "disabled" ||
           cell_at(&tree, {"metadata", "labels", key}).text == "disabled";
}

} // namespace lockstep
