#!/usr/bin/env python3
"""Writes a repository of hostile files, the same bytes every time: make_tree.py DIR. Prints `path<TAB>what` for each of
them; `what` is `bad` when a finding must be on it, `fine` when it is odd and still right, `link` for links that are
followed nowhere. Where a hostile file is right in itself, a small fault is planted behind it or before it: that it is
found shows that the file was read to its end."""
import gzip
import io
import os
import sys
import tarfile

CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
DEPLOYMENT = """apiVersion: apps/v1
kind: Deployment
metadata: {name: a}
spec:
  selector: {matchLabels: {app: a}}
  template: {metadata: {labels: {app: a}}, spec: {containers: [{name: a, image: "a/b:1"}]}}
"""
KEY_TWICE = "planted: 1\nplanted: 2\n"
FLOATING = "curl -s https://fluxcd.io/install.sh | bash\n"


class Tree:
    def __init__(self, root):
        self.root, self.written = root, []

    def path(self, name):
        whole = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(whole), exist_ok=True)
        return whole

    def add(self, name, content, what):
        with open(self.path(name), "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
        self.written.append((name, what))

    def plant(self, name, content):
        """A file that is right, but for one key that appears twice at its end."""
        self.add(name, content + (KEY_TWICE if isinstance(content, str) else KEY_TWICE.encode()), "bad")

    def link(self, name, target, what):
        os.symlink(target, self.path(name))
        self.written.append((name, what))


def nesting(tree):
    for i, size in enumerate((1001, 5000, 100_000, 1_000_000)):
        tree.add(f"deep/flow-{i}.yaml", "a: " + "[" * size, "bad")
        tree.add(f"deep/flow-closed-{i}.yaml", "a: " + "[" * size + "]" * size + "\n", "bad")
        tree.add(f"deep/maps-{i}.yaml", "{a: " * size, "bad")
        tree.add(f"deep/items-{i}.yaml", "- " * size + "a\n", "bad")
    tree.add("deep/keys.yaml", "".join(" " * i + "a:\n" for i in range(1500)), "bad")
    tree.add("deep/questions.yaml", "? " * 3000 + "a\n", "bad")
    tree.add("deep/brackets.tftpl", "a: ${" + "(" * 100_000 + "\n", "fine")
    tree.add("deep/braces.tftpl", "a: " + "${" * 50_000 + "x\n", "fine")
    tree.add("deep/shell.sh", FLOATING + "echo " + "$(" * 50_000 + "\n", "bad")
    tree.add("deep/quotes.sh", FLOATING + 'echo "' + '$(echo "' * 20_000 + "\n", "bad")


def bombs(tree):
    for i, width in enumerate((2, 10, 100)):
        lines = ["a0: &a0 [x" + ", x" * width + "]"]
        lines += [f"a{n}: &a{n} [*a{n - 1}" + f", *a{n - 1}" * width + "]" for n in range(1, 30)]
        tree.plant(f"bombs/aliases-{i}.yaml", CONFIG_MAP + "\n".join(lines) + "\n")
        lines = ["m0: &m0 {k0: v}"]
        lines += [f"m{n}: &m{n} {{<<: [*m{n - 1}" + f", *m{n - 1}" * width + f"], k{n}: v}}" for n in range(1, 30)]
        tree.plant(f"bombs/merges-{i}.yaml", CONFIG_MAP + "\n".join(lines) + "\n")
    tree.add("bombs/self.yaml", "a: &a [*a]\n", "bad")
    tree.add("bombs/self-merge.yaml", "a: &a {<<: *a, b: c}\n", "bad")
    tree.add("bombs/unknown-alias.yaml", "a: *nowhere\n", "bad")
    tree.plant("bombs/anchors.yaml", "".join(f"k{n}: &a{n} x\n" for n in range(70_000)))
    tree.add("bombs/tags.yaml", "".join(f"- !t{n} x\n" for n in range(70_000)), "bad")
    for i, count in enumerate((2000, 20_000)):
        tree.add(f"bombs/one-key-{i}.yaml", "a: 1\n" * count, "bad")
        tree.add(f"bombs/flow-keys-{i}.yaml", "{" + "a: 1, " * count + "}\n", "bad")
        tree.add(f"bombs/many-keys-{i}.yaml", "".join(f"k{n}: 1\n" for n in range(count)) * 2, "bad")
    tree.add("bombs/documents.yaml", "---\n" * 20_000, "bad")
    tree.add("bombs/objects.yaml", ("---\n" + CONFIG_MAP) * 11_000, "bad")
    tree.add("bombs/ends.yaml", KEY_TWICE + "...\n" * 20_000, "bad")
    tree.add("bombs/deployments.yaml", ("---\n" + DEPLOYMENT) * 9_000 + KEY_TWICE, "bad") # each is asked about by many rules


def scalars(tree):
    tree.plant("large/line.yaml", "a: " + "x" * 1_000_000 + "\n")
    tree.plant("large/words.yaml", "a: " + "x " * 500_000 + "\n")
    tree.plant("large/quoted.yaml", 'a: "' + "\\n" * 500_000 + '"\n')
    tree.plant("large/block.yaml", "a: |\n" + "  x\n" * 200_000)
    tree.plant("large/folded.yaml", "a: >\n" + "  x\n\n" * 150_000)
    tree.add("large/value.yaml", "a: |\n" + "  0123456789\n" * 400_000, "bad") # beyond scalar-size
    tree.add("large/key.yaml", "x" * 5000 + ": a\n", "bad")
    tree.plant("large/comment.yaml", "a: b # " + "x" * 1_000_000 + "\n")
    tree.plant("large/comments.yaml", "# x\n" * 200_000 + "a: b\n")
    tree.add("large/blanks.yaml", "a:" + " " * 1_000_000 + "b\n", "bad")
    tree.add("large/lines.yaml", "\n" * 1_000_000 + "a: b\n", "bad")
    tree.plant("large/items.yaml", "a:\n" + "- a\n" * 200_000)
    tree.add("large/over.yaml", b"a: b\n" + b"#" * (17 << 20), "bad")
    tree.add("large/name.yaml", CONFIG_MAP.replace("{name: a}", "{name: " + "n" * 300_000 + "}") + KEY_TWICE, "bad")
    tree.add("large/script.sh", FLOATING + "helm install a b --version 1 \\\n" * 30_000 + "\n", "bad")
    tree.add("large/pins.sh", "helm install a oci://b/c\n" * 20_000, "bad")
    tree.add("large/variables.sh", FLOATING + "".join(f"A{n}=$A{n - 1}$A{n - 1}\n" for n in range(1, 3000)), "bad")
    tree.add("large/doubling.sh", FLOATING + "A=xx\n" + "".join(f"A{n}=$A{n - 1}$A{n - 1}\n" for n in range(1, 60)).replace("$A0", "$A")
             + "helm install a b --version $A59\n", "bad")


def suppressions(tree):
    storms = {"unused": "# lockstep: ignore[duplicate-key] why\na: b\n", "unknown": "# lockstep: ignore[no-such-rule] why\n",
              "open": "# lockstep: ignore[\n", "near": "# Lockstep: ignore\n", "ends": "{{/* lockstep: ignore[duplicate-key] why */}}\n"}
    for name, line in storms.items():
        tree.add(f"suppressions/{name}.yaml", line * 20_000, "bad")
    one_line = {"markers": "# lockstep: ignore[a] b ", "words": "ockstep ", "comments": "/* lockstep: ignore "}
    for name, part in one_line.items():
        tree.plant(f"suppressions/one-line-{name}.yaml", "a: b # " + part * 50_000 + "\n")
    tree.add("suppressions/ids.yaml", "# lockstep: ignore[" + "a, " * 100_000 + "b] why\na: b\n", "bad")
    tree.add("suppressions/reason.yaml", "# lockstep: ignore[duplicate-key] " + "x" * 1_000_000 + "\na: b\n", "bad")
    tree.add("suppressions/used.yaml", "".join(f"k{n}: 1\nk{n}: 2 # lockstep: ignore[duplicate-key] why\n" for n in range(5000)), "bad")


def bytes_of_all_kinds(tree):
    bad = {"latin1": b"a: \xe9\n", "cut": b"a: \xe2\x82\n", "surrogate": b"a: \xed\xa0\x80\n", "overlong": b"a: \xc0\xaf\n",
           "beyond": b"a: \xf4\x90\x80\x80\n", "lone": b"a: \x80\n", "nul": b"a: b\0c\n", "nuls": b"\0" * 5000,
           "control": b"a: \x01\x02\n", "escape": b"a: \x1b[2J\x1b]0;owned\x07\n", "utf16le": "a: b\n".encode("utf-16"),
           "utf16be": b"\xfe\xff\0a\0:\0 \0b", "utf32": "a: b\n".encode("utf-32"), "delete": b"a: \x7f\n",
           "random": bytes((i * 7919 >> 3) & 255 for i in range(4000))}
    for name, content in bad.items():
        tree.add(f"bytes/{name}.yaml", content, "bad")
    odd = {"bom": b"\xef\xbb\xbfa: b\n", "crlf": b"a: b\r\nc:\r\n  - d\r\n", "cr": b"a: b\rc: d\r", "mixed": b"a: b\rc: d\r\ne: f\n",
           "emoji": "a: \U0001f600\n".encode(), "bidi": "a: \u202egnp.exe\n".encode(), "empty": b"", "blank": b" ", "break": b"\n"}
    for name, content in odd.items():
        if content.strip():
            tree.plant(f"bytes/{name}.yaml", content)
        else:
            tree.add(f"bytes/{name}.yaml", content, "fine")
    tree.add("bytes/next-line.yaml", "a: b\u0085c: d\n", "bad")
    tree.add("bytes/line-separator.yaml", "a: |\n  b\u2028c: d\n", "bad")
    tree.add("bytes/paragraph.yaml", "a: b\u2029c: d\n", "bad")
    tree.add("bytes/binary.sh", bytes(range(256)) * 40, "fine")
    tree.add("bytes/binary.tftpl", bytes(range(256)) * 40, "bad")


def broken_yaml(tree):
    broken = {"double": 'a: "never\n', "single": "a: 'never\n", "list": "a: [b, c\n", "map": "a: {b: c\n", "tab": "a:\n\tb: c\n",
              "indent": "a: b\n  c: d\n", "block": "a: |99\n  b\n", "anchor": "a: &\n", "alias": "a: *\n", "tag": "a: !<\n",
              "directive": "%YAML 9.9\n---\na: b\n", "directive-alone": "%TAG\n", "percent": "a: %b\n", "at": "a: @b\n",
              "tick": "a: `b`\n", "escape": 'a: "\\q"\n', "code": 'a: "\\UFFFFFFFF"\n', "colon": "a: b: c\n", "comma": "[,]\n",
              "close": "]\n", "close-map": "a: }\n", "question": "? a\n  : b\n c: d\n", "second-root": "- a\nb: c\n",
              "long-key": "x" * 200_000 + "\n: a\n", "marker": "a: 'b\n---\nc'\n", "two-anchors": "a: &b &c d\n",
              "tag-handle": "a: !x!y z\n", "no-key": ": :\n:\n- :\n", "list-in-key": "[a, b: c\n", "map-as-list": "{a, b]\n",
              "list-as-map": "[a}\n", "quoted-more": "a: 'b' c\n", "double-more": 'a: "b" c\n', "alias-value": "a: &b c\nd: *b e\n",
              "block-flow": "a: [\nb: |\n  c\n", "outdent": "a:\n    b: c\n  d: e\n", "item-outdent": "a:\n    - b\n  - c\n",
              "tab-item": "-\ta: b\n\t- c\n", "cut-escape": 'a: "\\x4"\n', "cut-unicode": 'a: "\\u12"\n', "two-roots": "a\n--- b\nc: d\n",
              "folded-key": "? >\n a\nb\n", "header": "a: |x\n  b\n", "header-twice": "a: |+-\n  b\n", "comma-twice": "a: [b,, c]\n",
              "yaml-twice": "%YAML 1.1\n%YAML 1.1\n---\na: b\n", "version": "%YAML x\n---\na: b\n", "tag-open": "a: !<tag:x b\n"}
    for name, content in broken.items():
        tree.add(f"broken/{name}.yaml", content, "bad")


def templates(tree):
    chart = "charts/storm/"
    tree.add(chart + "Chart.yaml", "apiVersion: v2\nname: storm\nversion: 1.0.0\n", "fine")
    tree.add(chart + "values.yaml", "a: {{ .Values.never }}\n", "fine")
    storms = {"open": "{{" * 200_000, "open-lines": "{{\n" * 100_000, "pairs": "{{}}" * 100_000, "if": "{{ if .a }}" * 30_000,
              "end": "{{ end }}" * 30_000, "else": "{{ else }}" * 30_000, "quotes": '{{ "' * 50_000, "ticks": "{{ `" * 50_000,
              "comments": "{{/*" * 50_000, "define": '{{ define "a" }}' * 20_000, "loop": '{{ define "a" }}{{ include "a" . }}{{ end }}\n',
              "keys": "{{ .a }}: {{ .b }}\n" * 30_000, "lines": "{{- if .a }}\na: b\n{{- end }}\n" * 20_000,
              "indent": "a: {{ .b | nindent 999999999999 }}\n", "trim": "a: {{- -}} b\n", "half": "a: {{ .b }\n", "block": "a: |\n"
              + "  {{ .b }}\n" * 40_000, "flow": "a: [" + "{{ .b }}, " * 40_000 + "]\n", "one-line": "a: " + "{{ .b }}" * 60_000,
              "braces": "{" * 300_000, "nested": "{{ if a }}{{ range b }}" * 15_000 + "{{ end }}" * 30_000}
    for name, content in storms.items():
        tree.add(f"{chart}templates/{name}.yaml", f"{{{{ no{name.replace('-', '')} . }}}}\n" + content, "bad") # no such function
    tftpl = {"if": "%{ if a }" * 30_000, "for": "%{ for a in b }" * 30_000, "endfor": "%{ endfor }" * 30_000, "escapes": "$${%%{" * 50_000,
             "quotes": '${"' * 30_000, "heredoc": "${<<EOT\n" * 20_000, "comment": "${/*" * 30_000, "lines": "${\n" * 50_000}
    for name, content in tftpl.items():
        tree.add(f"tftpl/{name}.tftpl", "a: b\n" + content, "fine")
    tree.add("tftpl/calls.tf", 'a = templatefile("x", {' * 20_000, "fine")


def tar_of(members):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return out.getvalue()


def archives(tree):
    chart = "charts/packed/"
    tree.add(chart + "Chart.yaml", "apiVersion: v2\nname: packed\nversion: 1.0.0\n", "fine")
    own = b"apiVersion: v2\nname: sub\nversion: 1.0.0\n"
    good = gzip.compress(tar_of([("sub/Chart.yaml", own)]), mtime=0)
    zeros = gzip.compress(tar_of([("sub/Chart.yaml", own), ("sub/zeros", b"\0" * (70 << 20))]), 9, mtime=0)
    header = bytearray(tar_of([("sub/Chart.yaml", own)]))
    header[0] ^= 1
    packed = {"empty": b"", "cut": good[: len(good) // 2], "no-tail": good[:-8], "no-gzip": b"PK\3\4 this is no gzip", "bomb": zeros,
              "endless": gzip.compress(b"\0" * (80 << 20), mtime=0), "sum": good[:-5] + b"xxxxx",
              "header": gzip.compress(bytes(header), mtime=0), "half-tar": gzip.compress(tar_of([("sub/Chart.yaml", own)])[:530], mtime=0),
              "members": gzip.compress(tar_of([(f"sub/f{n}", b"") for n in range(10_100)]), mtime=0),
              "outside": gzip.compress(tar_of([("../../etc/Chart.yaml", own)]), mtime=0),
              "no-chart": gzip.compress(tar_of([("sub/values.yaml", b"a: b\n")]), mtime=0)}
    for name, content in packed.items():
        tree.add(f"{chart}charts/{name}-1.0.0.tgz", content, "bad")
    tree.add(f"{chart}charts/good-1.0.0.tgz", good, "fine")


def links(tree):
    tree.link("links/self.yaml", "self.yaml", "bad")
    tree.link("links/a.yaml", "b.yaml", "bad")
    tree.link("links/b.yaml", "a.yaml", "bad")
    tree.link("links/out.yaml", "/etc/passwd", "bad")
    tree.link("links/up.yaml", "../../../../../../../../etc/hostname", "bad")
    tree.link("links/nowhere.yaml", "not-here.yaml", "bad")
    tree.link("links/device.yaml", "/dev/zero", "bad")
    tree.link("links/proc.yaml", "/proc/version", "bad")
    tree.link("links/loop", "..", "link")
    tree.link("links/root", "/", "bad")
    os.mkfifo(tree.path("links/pipe.yaml"))
    tree.written.append(("links/pipe.yaml", "bad"))


def names(tree):
    tree.add("names/" + "n" * 250 + ".yaml", "a: [\n", "bad")
    tree.add("names/line\nbreak.yaml", "a: [\n", "bad")
    tree.add("names/\x1b[31mred.yaml", "a: [\n", "bad")
    tree.add("names/::error::fake.yaml", "a: [\n", "bad")
    tree.add(b"names/\xff\xfe.yaml".decode("utf-8", "surrogateescape"), "a: [\n", "bad")
    tree.add("names/-rf.yaml", "a: [\n", "bad")
    tree.add("names/" + "/".join(["d" * 200] * 15) + "/far.yaml", "a: [\n", "bad")
    here = os.getcwd() # deeper than any path that the system takes
    os.chdir(tree.path("names/x")[:-1])
    for _ in range(30):
        os.mkdir("e" * 200)
        os.chdir("e" * 200)
    with open("beyond.yaml", "w", encoding="utf-8") as file:
        file.write("a: [\n")
    os.chdir(here)
    tree.written.append(("names/" + "e" * 200, "below"))


def objects(tree):
    kustomization = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
    tree.add("loop/a/kustomization.yaml", kustomization + "resources: [../b]\n", "fine")
    tree.add("loop/b/kustomization.yaml", kustomization + "resources: [../a]\n", "bad")
    tree.add("loop/self/kustomization.yaml", kustomization + "resources: [.]\n", "bad")
    for level in range(9): # each includes the next one four times: 65,536 ways
        entries = ", ".join([f"../w{level + 1}"] * 4) if level < 8 else "a.yaml"
        tree.add(f"wide/w{level}/kustomization.yaml", kustomization + f"resources: [{entries}]\n", "fine")
    tree.add("wide/w8/a.yaml", CONFIG_MAP, "fine")
    flux = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: %s, namespace: flux-system}\nspec:\n" \
           "  path: %s\n  interval: 1m\n  prune: true\n  sourceRef: {kind: GitRepository, name: flux-system}\n"
    tree.add("flux/wide.yaml", flux % ("wide", "./wide/w0"), "fine")
    tree.add("flux/up.yaml", flux % ("up", "../../../etc"), "bad")
    tree.add("flux/types.yaml", "apiVersion: {a: b}\nkind: [HelmRelease]\nmetadata: 7\nspec: ~\n", "fine")
    tree.add("flux/release.yaml", "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: [a]\nspec: {chart: {spec: [1]}}\n", "fine")
    for i, text in enumerate(("[]\n", "name: {}\nversion: []\n", "7\n", "dependencies: a\nname: ~\n", "!!binary x\n")):
        tree.add(f"charts/types-{i}/Chart.yaml", text, "fine")
    tree.plant("regex/text.yaml", "a: " + "INSTALL_K3S_VERSION=" * 20_000 + "\n")
    tree.add("regex/plus.sh", FLOATING + "a" * 100_000 + "!" + " helm" * 20_000 + "\n", "bad")
    tree.add("regex/sed.sh", FLOATING + "sed -i 's/" + "(a*)*" * 2000 + "/x/' a.yaml\n", "bad")
    tree.add("version/range.yaml", "apiVersion: v2\nname: a\nversion: " + "9" * 5000 + "\n", "fine")
    tree.add("regex/.gitignore", "**/" * 3000 + "a\n" + "[" * 3000 + "\n" + "*a" * 2000 + "\n", "fine")


def main():
    tree = Tree(sys.argv[1])
    for part in (nesting, bombs, scalars, suppressions, bytes_of_all_kinds, broken_yaml, templates, archives, links, names, objects):
        part(tree)
    tree.plant("healthy.yaml", CONFIG_MAP)
    for name, what in tree.written:
        print(repr(name) + "\t" + what)


if __name__ == "__main__":
    main()
