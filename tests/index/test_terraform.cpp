// What a Terraform template reads and what a templatefile() call passes.
#include "index/terraform.h"
#include <doctest/doctest.h>

using namespace lockstep;

namespace {

std::string names(std::string_view text) {
    const TemplateNames read = template_names(text);
    std::string out = read.broken ? "!" : "";
    for (const TerraformName& name : read.names) {
        CHECK(text.substr(name.span.begin, name.span.end - name.span.begin) == name.name);
        out += (out.empty() ? "" : " ") + name.name;
    }
    return out;
}

std::string keys(std::string_view text) {
    std::string out;
    for (const TemplateCall& call : template_calls(text)) {
        out += (out.empty() ? "" : " | ") + call.path + (call.open ? "+" : "") + ":";
        for (const TerraformName& key : call.keys) {
            CHECK(text.substr(key.span.begin, key.span.end - key.span.begin) == key.name);
            out += " " + key.name;
        }
    }
    return out;
}

} // namespace

TEST_CASE("plain names, in comments too, and escapes are text") {
    CHECK(names("a: ${one}\n# not yet: ${two}\nb: $${SHELL} %%{http_code}\n") == "one two");
    CHECK(names("\xEF\xBB\xBF"
                "a: ${one}\r\nb: ${ ~two~ }\r\n") == "one two");
    CHECK(names("cost: $5 {x} 100%") == "");
    CHECK(names("a: $$${one}") == "");
}

TEST_CASE("functions, attributes, keys and literals are no variables") {
    CHECK(names("${upper(trimspace(name))}") == "name");
    CHECK(names("${provider::core::pad(name)}") == "name");
    CHECK(names("${node.labels.zone} ${nodes[0].name} ${nodes.0.name} ${list[*].id}") == "node nodes nodes list");
    CHECK(names("${jsonencode({ name = who, \"zone\" : where, (dynamic) = 1 })}") == "who where dynamic");
    CHECK(names("${enabled ? yes_value : null}") == "enabled yes_value");
    CHECK(names("${jsonencode({ a = on ? left : right, b = 2 })}") == "on left right");
    CHECK(names("${coalesce(list...)}") == "list");
    CHECK(names("${1.5e3 + count}") == "count");
    CHECK(names("${a-b}") == "a-b"); // one name, as HCL reads it
}

TEST_CASE("an object over several lines") {
    CHECK(names("${jsonencode({\n  a = one # ${x}\n  b = two,\n  c : { d = three }\n})}") == "one two three");
}

TEST_CASE("strings inside expressions are templates again") {
    CHECK(names("${format(\"%s-${inner}\", outer)}") == "inner outer");
    CHECK(names("${f(\"}\", x)} ${f(\"\\\"}\", y)} ${f(\"$${z}\")}") == "x y");
    CHECK(names("${f(<<EOT\n  } ${deep}\nEOT\n, next)}") == "deep next");
}

TEST_CASE("what a for brings is bound in its body and only there") {
    CHECK(names("%{ for x in list ~}\n- ${x} ${y}\n%{ endfor ~}\n${x}") == "list y x");
    CHECK(names("%{ for k, v in map }${k}=${v}%{ endfor }") == "map");
    CHECK(names("${join(\",\", [for x in list : \"${x.name}-${y}\" if x.on])}") == "list y");
    CHECK(names("${jsonencode({for k, v in map : k => v... if v != other})}") == "map other");
    CHECK(names("${[for x in x : x]}") == "x"); // the list is read outside
    CHECK(names("%{ if a == \"b\" }${c}%{ else }${d}%{ endif }") == "a c d");
}

TEST_CASE("a text that ends inside an expression is broken, however deep") {
    CHECK(names("${one") == "! one");
    CHECK(names("%{ for x in list }${x}").front() == '!');
    CHECK(names(std::string(100000, '(')).empty());
    CHECK(names("${" + std::string(100000, '(')).front() == '!');
    CHECK(names("${" + std::string(100000, '{')).front() == '!');
    CHECK(names("${\"\\").front() == '!');
}

TEST_CASE("a text inside an expression cannot end the loop around it") {
    CHECK(names("${[for x in list : <<E\n%{ endfor }\nE\n]}") == "! list");
    CHECK(names("${[for x in list : \"%{ endfor }${x}\"]}") == "! list");
    CHECK(names("%{ for x in list }${\"%{ endfor }\"}${x}%{ endfor }") == "! list");
    CHECK(names("${[for x in list : \"%{ for y in x }${y}%{ endfor }${y}\"]}") == "list y");
}

TEST_CASE("a call passes the keys of its object") {
    CHECK(keys("x = templatefile(\"${path.module}/a.tftpl\", { one = 1, \"two\" : 2 })") == "a.tftpl: one two");
    CHECK(keys("locals {\n  x = templatefile(\"a.tftpl\", {\n    one = var.a # two = 2\n    // three = 3\n    four = { "
               "five = 5 }\n"
               "    six = <<-EOT\n      seven = 7\n    EOT\n    eight = 8\n  })\n}\n") ==
          "a.tftpl: one four six eight");
    CHECK(keys("x = base64encode(templatefile(\"a.tftpl\", { one = templatefile(\"b.tftpl\", { two = 2 }) }))") ==
          "b.tftpl: two | a.tftpl: one");
    CHECK(keys("x = templatefile(\"a.tftpl\", {})") == "a.tftpl:");
    CHECK(keys("x = \"${templatefile(\"a.tftpl\", { one = 1 })}\"\r\n") == "a.tftpl: one");
}

TEST_CASE("what is not written out leaves a call open") {
    CHECK(keys("x = templatefile(\"a.tftpl\", local.vars)") == "a.tftpl+:");
    CHECK(keys("x = templatefile(\"a.tftpl\", merge({ one = 1 }, { two = 2 }))") == "a.tftpl: one two");
    CHECK(keys("x = templatefile(\"a.tftpl\", merge(local.vars, { two = 2 }))") == "a.tftpl+: two");
    CHECK(keys("x = templatefile(\"a.tftpl\", { for k in var.list : k => 1 })") == "a.tftpl+:");
    CHECK(keys("x = templatefile(\"a.tftpl\", { one = 1, (var.key) = 2 })") == "a.tftpl+: one");
    CHECK(keys("x = templatefile(\"${path.module}/${var.name}.tftpl\", { one = 1 })") == ": one");
    CHECK(keys("x = templatefile(var.path, { one = 1 })") == ": one");
}

TEST_CASE("a comment and a string call nothing") {
    CHECK(keys("# templatefile(\"a.tftpl\", { one = 1 })\n/* templatefile(\"a\", {}) */ x = \"templatefile(\"\n") ==
          "");
}
