// HCL expressions and templates: which names they read.
#include "base/text.h"
#include "index/terraform_reader.h"
#include <algorithm>

namespace lockstep {
namespace {

bool is_terraform_keyword(std::string_view word) {
    for (std::string_view one : {"true", "false", "null", "for", "in", "if", "else", "endif", "endfor"})
        if (word == one) return true;
    return false;
}

} // namespace

bool starts_terraform_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

void TerraformReader::read_template() {
    while (at_ < text_.size())
        if (!skip_escape() && !read_action() && at_ < text_.size()) ++at_;
    broken = broken || !scopes_.empty();
}

void TerraformReader::skip_blanks(bool lines) {
    while (at_ < text_.size()) {
        const char c = text_[at_];
        if (is_blank_or_return(c) || (c == '\n' && lines)) {
            ++at_;
        } else if (c == '#' || sees("//")) {
            at_ = std::min(text_.find('\n', at_), text_.size());
        } else if (sees("/*")) {
            const std::size_t end = text_.find("*/", at_ + 2);
            at_ = end == npos ? text_.size() : end + 2;
        } else {
            return;
        }
    }
}

std::string_view TerraformReader::word() {
    const std::size_t begin = at_;
    while (starts_terraform_word(now()) || is_digit(now()) || now() == '-')
        ++at_;
    return text_.substr(begin, at_ - begin);
}

bool TerraformReader::skip_escape() {
    if (!sees("$${") && !sees("%%{")) return false;
    at_ += 3;
    return true;
}

bool TerraformReader::read_action() {
    const bool value = sees("${");
    if (!value && !sees("%{")) return false;
    at_ += 2;
    if (now() == '~') ++at_;
    if (++depth_ > deepest) return fail();
    if (value)
        read_expression("}", true);
    else
        read_directive();
    --depth_;
    if (now() != '}') return fail();
    ++at_;
    return true;
}

void TerraformReader::read_directive() {
    skip_blanks(true);
    const std::string_view first = word();
    if (first == "for") {
        std::vector<std::string> bound = read_bound_names();
        read_expression("}", true);
        scopes_.push_back(std::move(bound));
        return;
    }
    const bool open = scopes_.size() > outer_scopes_;
    if (first == "endfor" && !open) broken = true;
    if (first == "endfor" && open) scopes_.pop_back();
    read_expression("}", true);
}

std::vector<std::string> TerraformReader::read_bound_names() {
    std::vector<std::string> bound;
    for (skip_blanks(true); starts_terraform_word(now()); skip_blanks(true)) {
        const std::string_view name = word();
        if (name == "in") return bound;
        bound.emplace_back(name);
        skip_blanks(true);
        if (now() == ',') ++at_;
    }
    broken = true;
    return bound;
}

void TerraformReader::read_expression(std::string_view stops, bool lines) {
    if (++depth_ > deepest) fail();
    bool behind_dot = false;
    int asked = 0; // a `?` whose `:` is no stop
    while (at_ < text_.size() && !failed_) {
        skip_blanks(lines);
        const char c = now();
        if (c == ':' && asked > 0) {
            --asked;
            ++at_;
            continue;
        }
        if (c == '\0' || c == '\n' || stops.find(c) != npos) break;
        if (c == ')' || c == ']' || c == '}') {
            fail();
            break;
        }
        if (c == '?') ++asked;
        behind_dot = read_token(behind_dot, true);
    }
    --depth_;
}

bool TerraformReader::read_token(bool behind_dot, bool brackets) {
    const char c = now();
    if (c == '"') {
        read_string();
    } else if (sees("<<") && (starts_terraform_word(peek(2)) || (peek(2) == '-' && starts_terraform_word(peek(3))))) {
        read_heredoc();
    } else if (brackets && c == '(') {
        ++at_;
        read_list(')');
    } else if (brackets && c == '[') {
        ++at_;
        if (!read_for(']') && !failed_) read_list(']');
    } else if (brackets && c == '{') {
        read_object();
    } else if (c == '.') {
        const bool several = sees("...");
        at_ += several ? 3 : 1;
        return !several;
    } else if (is_digit(c)) {
        while (is_digit(now()) || starts_terraform_word(now()))
            ++at_;
    } else if (starts_terraform_word(c)) {
        read_name(behind_dot);
    } else {
        ++at_;
    }
    return false;
}

void TerraformReader::read_list(char close) {
    const char stops[] = {',', close, '\0'};
    while (!failed_) {
        read_expression(stops, true);
        const char c = now();
        if (c != '\0') ++at_;
        if (c == close) return;
        if (c != ',') fail();
    }
}

bool TerraformReader::read_for(char close) {
    const std::size_t start = at_;
    skip_blanks(true);
    if (word() != "for") {
        at_ = start;
        return false;
    }
    std::vector<std::string> bound = read_bound_names();
    read_expression(":", true);
    if (now() != ':') return fail();
    ++at_;
    scopes_.push_back(std::move(bound));
    const char stops[] = {close, '\0'};
    read_expression(stops, true);
    scopes_.pop_back();
    if (now() != close) return fail();
    ++at_;
    return true;
}

std::string_view TerraformReader::read_string() {
    const InnerTemplate inner(*this);
    const std::size_t begin = ++at_;
    while (at_ < text_.size() && !failed_) {
        if (now() == '"') return text_.substr(begin, at_++ - begin);
        if (now() == '\n') break;
        if (now() == '\\')
            at_ = std::min(at_ + 2, text_.size());
        else if (!skip_escape() && !read_action() && !failed_)
            ++at_;
    }
    fail();
    return {};
}

void TerraformReader::read_heredoc() {
    const InnerTemplate inner(*this);
    at_ += 2;
    if (now() == '-') ++at_;
    const std::string_view marker = word();
    while (at_ < text_.size() && !failed_) {
        if (now() == '\n') {
            const std::size_t begin = std::min(text_.find_first_not_of(" \t", at_ + 1), text_.size());
            std::string_view line = text_.substr(begin, std::min(text_.find('\n', begin), text_.size()) - begin);
            while (!line.empty() && is_blank_or_return(line.back()))
                line.remove_suffix(1);
            if (line == marker) {
                at_ = begin + marker.size();
                return;
            }
        }
        if (!skip_escape() && !read_action() && !failed_) ++at_;
    }
    fail();
}

void TerraformReader::read_name(bool behind_dot) {
    const std::size_t begin = at_;
    const std::string_view name = word();
    const std::size_t end = at_;
    if (is_blank_or_return(now())) skip_blanks(false);
    while (sees("::")) { // provider::aws::arn_parse(
        at_ += 2;
        word();
    }
    if (now() == '(' && !behind_dot) {
        if (name == "templatefile") read_call(span(begin, end));
        return;
    }
    if (behind_dot || is_terraform_keyword(name)) return;
    for (const auto& scope : scopes_)
        if (std::find(scope.begin(), scope.end(), name) != scope.end()) return;
    names.push_back({std::string(name), span(begin, end)});
}

bool TerraformReader::fail() {
    broken = failed_ = true;
    at_ = text_.size();
    return false;
}

TemplateNames template_names(std::string_view text) {
    TerraformReader reader(text);
    reader.read_template();
    return {std::move(reader.names), reader.broken};
}

} // namespace lockstep
