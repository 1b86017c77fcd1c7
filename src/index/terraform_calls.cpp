// templatefile() calls of a .tf file: the template they name and the variables they pass.
#include "base/text.h"
#include "index/terraform_reader.h"

namespace lockstep {
namespace {

std::string plain_path(std::string_view path) {
    for (std::string_view base : {"${path.module}/", "${path.root}/", "${path.cwd}/"})
        if (path.starts_with(base)) {
            path.remove_prefix(base.size());
            break;
        }
    return path.find_first_of("$%\\") == npos ? std::string(path) : std::string();
}

} // namespace

void TerraformReader::read_file() {
    bool behind_dot = false;
    while (at_ < text_.size()) {
        skip_blanks(true);
        if (at_ < text_.size()) behind_dot = read_token(behind_dot, false);
    }
}

ObjectKeys TerraformReader::read_object() {
    ObjectKeys object;
    ++at_;
    if (++depth_ > deepest) fail();
    if (!failed_ && read_for('}'))
        object.open = true;
    else
        while (!failed_ && read_item(object)) {
        }
    --depth_;
    return object;
}

bool TerraformReader::read_item(ObjectKeys& object) {
    for (skip_blanks(true); now() == ','; skip_blanks(true))
        ++at_;
    const std::size_t begin = at_;
    if (now() == '}') {
        ++at_;
        return false;
    }
    if (starts_terraform_word(now())) {
        const std::string_view key = word();
        object.keys.push_back({std::string(key), span(begin, at_)});
    } else if (now() == '"') {
        const std::string_view inner = read_string();
        const bool literal = inner.find_first_of("$%\\") == npos;
        if (literal && !failed_) object.keys.push_back({std::string(inner), span(begin + 1, at_ - 1)});
        object.open = object.open || !literal;
    } else if (now() == '(') {
        object.open = true;
        ++at_;
        read_list(')');
    } else {
        return fail();
    }
    skip_blanks(false);
    if ((now() != '=' && now() != ':') || peek(1) == '=') return fail();
    ++at_;
    skip_blanks(false);
    read_expression(",}", false);
    return !failed_;
}

void TerraformReader::read_call(Span place) {
    TemplateCall call;
    call.span = place;
    ++at_;
    skip_blanks(true);
    if (now() == '"') call.path = plain_path(read_string());
    skip_blanks(true);
    if (now() != ',' && now() != ')') call.path.clear();
    read_expression(",)", true);
    if (now() == ',') {
        ++at_;
        skip_blanks(true);
        read_variables(call);
        read_expression(",)", true);
        if (now() == ',') ++at_;
        skip_blanks(true);
    }
    if (now() == ')') ++at_;
    call.open = call.open || failed_;
    calls.push_back(std::move(call));
}

void TerraformReader::take_object(TemplateCall& call) {
    ObjectKeys object = read_object();
    call.open = call.open || object.open;
    call.keys.insert(call.keys.end(), object.keys.begin(), object.keys.end());
    skip_blanks(true);
    if (now() != ')' && now() != ',') call.open = true;
}

void TerraformReader::read_variables(TemplateCall& call) {
    if (now() == '{') return take_object(call);
    if (now() == ')') return;
    const std::size_t start = at_;
    const std::string_view function = starts_terraform_word(now()) ? word() : std::string_view();
    skip_blanks(false);
    if (function != "merge" || now() != '(') {
        at_ = start;
        call.open = true;
        return;
    }
    // merge() of objects that are written out is as good as one of them.
    do {
        ++at_;
        skip_blanks(true);
        if (now() == '{')
            take_object(call);
        else if (now() != ')')
            call.open = true;
        read_expression(",)", true);
    } while (now() == ',' && !failed_);
    if (now() == ')') ++at_;
    skip_blanks(true);
    if (now() != ')' && now() != ',') call.open = true; // merge(…)["x"]
}

std::vector<TemplateCall> template_calls(std::string_view text) {
    if (text.find("templatefile") == npos) return {};
    TerraformReader reader(text);
    reader.read_file();
    return std::move(reader.calls);
}

} // namespace lockstep
