// Reads HCL by recursive descent, only as deep as names, scopes and calls ask for. Internal to terraform.h: expressions
// and templates are read in terraform.cpp, objects and calls in terraform_calls.cpp.
#pragma once
#include "index/terraform.h"

namespace lockstep {

struct ObjectKeys {
    std::vector<TerraformName> keys;
    bool open = false;
};

class TerraformReader {
public:
    explicit TerraformReader(std::string_view text) : text_(text) {}
    std::vector<TerraformName> names;
    std::vector<TemplateCall> calls;
    bool broken = false;

    void read_template(); // that is the whole text
    void read_file(); // a .tf file: blocks are not distinguished from objects, only strings, comments and calls count

private:
    static constexpr int deepest = 200;

    bool sees(std::string_view what) const { return text_.substr(at_).starts_with(what); }
    char now() const { return peek(0); }
    char peek(std::size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
    // Blanks and comments; line ends too unless they end what is being read.
    void skip_blanks(bool lines);
    bool skip_escape(); // `$${` and `%%{` are text
    std::string_view word();
    // `${ … }` or `%{ … }` where a template is read.
    bool read_action();
    void read_directive();
    std::vector<std::string> read_bound_names(); // `k, v in`
    // Up to one of `stops` outside of brackets, or the line's end where `lines` do not go on; neither is taken.
    void read_expression(std::string_view stops, bool lines);
    // One piece of an expression, brackets with all that is in them. True behind a dot.
    bool read_token(bool behind_dot, bool brackets);
    void read_list(char close);
    bool read_for(char close); // `for k, v in map : …` behind an opening bracket
    ObjectKeys read_object();
    bool read_item(ObjectKeys& object);
    std::string_view read_string(); // gives what is between the quotes, as written
    void read_heredoc();
    void read_name(bool behind_dot);
    void read_call(Span place);
    void read_variables(TemplateCall& call);
    void take_object(TemplateCall& call);
    bool fail(); // nothing behind this place can be trusted

    static Span span(std::size_t begin, std::size_t end) {
        return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
    }

    std::string_view text_;
    std::size_t at_ = 0; // never behind the end
    int depth_ = 0;
    bool failed_ = false;
    std::vector<std::vector<std::string>> scopes_; // names that a `for` brings
    std::size_t outer_scopes_ = 0;                 // those of them that the text at hand did not open and cannot end

    // A string or heredoc inside an expression: a template of its own.
    struct InnerTemplate {
        TerraformReader& reader;
        std::size_t scopes = reader.scopes_.size(), outer = reader.outer_scopes_;
        explicit InnerTemplate(TerraformReader& in) : reader(in) { reader.outer_scopes_ = scopes; }
        ~InnerTemplate() {
            reader.broken = reader.broken || reader.scopes_.size() > scopes;
            reader.scopes_.resize(scopes);
            reader.outer_scopes_ = outer;
        }
        InnerTemplate(const InnerTemplate&) = delete;
        InnerTemplate& operator=(const InnerTemplate&) = delete;
    };
};

bool starts_terraform_word(char c);

} // namespace lockstep
