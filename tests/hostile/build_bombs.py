"""Small charts and kustomizations that cost much to render or build: what bombs.py writes beside the others. A proven chain applies
each, so that `check` renders it."""

KUSTOMIZATION = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
SYNC = ("apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: { name: flux-system, namespace: flux-system }\n"
        "spec: { interval: 1m, url: \"https://git.example.org/a/b\", ref: { branch: main } }\n---\n"
        "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: flux-system, namespace: flux-system }\n"
        "spec: { interval: 1m, prune: true, path: ./clusters/prod, sourceRef: { kind: GitRepository, name: flux-system } }\n")
CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {{ name: {0} }}\n"


def release(name, values="{}"):
    return (f"apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {{ name: {name}, namespace: flux-system }}\n"
            "spec:\n  interval: 1m\n  chart: { spec: { chart: ./charts/c, sourceRef: { kind: GitRepository, name: flux-system } } }\n"
            f"  values: {values}\n")


def chart(write, templates, values="{}", more=None):
    write("clusters/prod/gotk-sync.yaml", SYNC)
    write("clusters/prod/release.yaml", release("c"))
    write("charts/c/Chart.yaml", "apiVersion: v2\nname: c\nversion: 1.0.0\n")
    write("charts/c/values.yaml", values + "\n")
    for name, text in (more or {}).items():
        write(f"charts/c/{name}", text)
    for i, text in enumerate(templates):
        write(f"charts/c/templates/t{i}.yaml", CONFIG_MAP.format(f"c{i}") + "data:\n  a: " + text + "\n")


def chart_ranges(write):
    chart(write, ['{{ range until 10000 }}{{ range until 10000 }}{{ range until 10000 }}x{{ end }}{{ end }}{{ end }}'] * 3)


def chart_idle_ranges(write):
    chart(write, ['{{ range until 10000 }}{{ range until 10000 }}{{ range until 10000 }}{{ end }}{{ end }}{{ end }}y'])


def chart_range_of_number(write):
    chart(write, ['{{ range 9000000000000000000 }}x{{ end }}', '{{ untilStep 0 2000000000 1 | len }}', '{{ until 2147483647 | len }}', '{{ seq 1 2000000000 | len }}'])


def chart_include_itself(write):
    chart(write, ['{{ include "a" . }}'], more={"templates/_a.tpl": '{{ define "a" }}x{{ include "a" . }}{{ end }}'})


def chart_include_tree(write, depth=40):
    """Each includes the next twice."""
    chart(write, ['{{ include "a0" . }}'], more={"templates/_a.tpl": "".join(
        f'{{{{ define "a{i}" }}}}{{{{ include "a{i + 1}" . }}}}{{{{ include "a{i + 1}" . }}}}{{{{ end }}}}\n' for i in range(depth))
        + f'{{{{ define "a{depth}" }}}}x{{{{ end }}}}'})


def chart_tpl_itself(write):
    chart(write, ['{{ tpl .Values.a . }}'], "a: '{{ tpl .Values.a . }}{{ tpl .Values.a . }}'")


def chart_widths(write):
    chart(write, ['{{ printf "%2000000000d" 1 }}', '{{ printf "%*d" 2000000000 1 }}', '{{ printf "%.2000000000f" 1.5 }}', '{{ repeat 2000000000 "x" }}',
                  '{{ indent 2000000000 "x" }}', '{{ nindent 1000000000 "a" }}', '{{ randAlphaNum 2000000000 }}', '{{ wrapWith 1 (repeat 1000 "y") "aa" }}'])


def chart_doubling(write):
    chart(write, ['{{ $s := "xxxxxxxx" }}{{ range until 60 }}{{ $s = print $s $s }}{{ end }}{{ len $s }}',
                  '{{ $s := "\\"" }}{{ range until 60 }}{{ $s = toJson $s }}{{ end }}{{ len $s }}',
                  '{{ $s := "a" }}{{ range until 60 }}{{ $s = replace "a" "aaaa" $s }}{{ end }}{{ len $s }}'])


def chart_growing_lists(write):
    chart(write, ['{{ $l := list 1 2 3 4 }}{{ range until 60 }}{{ $l = concat $l $l }}{{ end }}{{ len $l }}',
                  '{{ $d := dict "a" 1 }}{{ range until 60 }}{{ $d = dict "a" $d "b" $d }}{{ end }}{{ toYaml $d | len }}',
                  '{{ $d := dict "a" 1 }}{{ range until 60 }}{{ $d = dict "a" $d "b" $d }}{{ end }}{{ deepCopy $d | len }}'])


def chart_dict_of_itself(write):
    chart(write, ['{{ $d := dict }}{{ $_ := set $d "a" $d }}{{ toYaml $d }}', '{{ $d := dict }}{{ $_ := set $d "a" $d }}{{ toJson $d | len }}',
                  '{{ $d := dict }}{{ $_ := set $d "a" $d }}{{ print $d }}', '{{ $d := dict }}{{ $_ := set $d "a" $d }}{{ mergeOverwrite $d $d | len }}',
                  '{{ $d := dict }}{{ $_ := set $d "a" $d }}{{ deepCopy $d | len }}', '{{ $d := dict }}{{ $_ := set $d "a" $d }}{{ eq $d $d }}'])


def chart_files_often(write):
    chart(write, ['{{ range until 5000 }}{{ $.Files.Get "big.txt" }}{{ end }}', '{{ range until 5000 }}{{ ($.Files.Glob "**").AsConfig }}{{ end }}',
                  '{{ range until 5000 }}{{ range $.Files.Lines "big.txt" }}{{ . }}{{ end }}{{ end }}'], more={"big.txt": "line of a file\n" * 40_000})


def chart_regexes(write):
    chart(write, ['{{ regexReplaceAll "(a*)*" (repeat 100000 "a") "${1}${1}${1}${1}" | len }}', '{{ regexFindAll "a*" (repeat 200000 "ab") -1 | len }}',
                  '{{ regexMatch "((((a{1,100}){1,100}){1,100}){1,100})" "a" }}', '{{ regexSplit "" (repeat 300000 "a") -1 | len }}'])


def chart_shared_lists(write):
    chart(write, ['{{ $l := list }}{{ range until 40 }}{{ $l = list $l $l }}{{ end }}{{ ' + use + ' }}' for use in ("$l", "toJson $l", "toYaml $l", "deepEqual $l (list $l)", "has $l (list $l)")])


def chart_dear_functions(write):
    chart(write, ['{{ $s := repeat 10000000 "a" }}{{ range until 100000 }}{{ $x := sha256sum $s }}{{ end }}',
                  '{{ $s := repeat 1000000 "a" }}{{ range until 1000000 }}{{ $x := regexMatch "a*b" $s }}{{ end }}',
                  '{{ $s := repeat 1000000 "a" }}{{ contains (printf "%sb" (repeat 500000 "a")) $s }}'])


def chart_nested_actions(write):
    chart(write, ["{{ " + "(" * 50_000 + "1" + ")" * 50_000 + " }}", "{{ if true }}" * 30_000 + "{{ end }}" * 30_000, '{{ . ' + '| print ' * 40_000 + '}}'])


def chart_numbers(write):
    chart(write, ['{{ mul 9223372036854775807 9223372036854775807 }}', '{{ div 1 0 }}', '{{ mod 1 0 }}', '{{ div -9223372036854775808 -1 }}', '{{ mod -9223372036854775808 -1 }}',
                  '{{ toString 1e308 | int64 }}', '{{ int64 1e300 }}', '{{ max 1 2 | toDecimal }}', '{{ substr -5 100 "abc" }}', '{{ trunc -9223372036854775808 "abc" }}',
                  '{{ slice (list 1 2) 9 3 }}', '{{ index (list 1) 99999999999 }}', '{{ round 1.5 2000000000 }}', '{{ b32dec "=" }}', '{{ nospace (repeat 1000000 " ") }}'])


def chart_many_releases(write, count=60):
    chart(write, ['{{ range until 200 }}{{ toYaml $.Values }}{{ end }}'], "a: " + "x" * 1000)
    write("clusters/prod/release.yaml", "---\n".join(release(f"c{i}", f"{{ b: {i} }}") for i in range(count)))


def chart_subcharts(write, depth=60):
    chart(write, ["b"])
    at = "charts/c/"
    for i in range(depth):
        write(at + "Chart.yaml", f"apiVersion: v2\nname: c{i}\nversion: 1.0.0\n")
        write(at + "templates/a.yaml", CONFIG_MAP.format(f"s{i}") + "data: { a: {{ toYaml .Values | quote }} }\n")
        write(at + "values.yaml", "a: " + "y" * 5000 + "\n")
        at += "charts/d/"


def chart_yaml_aliases(write):
    """Values that grow when somebody writes them out."""
    lines = "".join(f"a{i}: &a{i} [" + ", ".join([f"*a{i - 1}"] * 9 if i else ["1"] * 9) + "]\n" for i in range(12))
    chart(write, ["{{ toYaml .Values | len }}", "{{ toJson .Values | len }}", "{{ fromYaml (.Files.Get \"b.yaml\") | toYaml | len }}"], lines, {"b.yaml": lines})


def chart_schema(write, depth=200):
    text = '{"a": 1}'
    for _ in range(depth):
        text = '{"allOf": [' + text + ', {"$ref": "#"}], "properties": {"a": {"$ref": "#"}}, "pattern": "(a*)*b"}'
    chart(write, ["x"], "a: { a: { a: {} } }", {"values.schema.json": text})


def kustomization(write, text, **files):
    write("clusters/prod/gotk-sync.yaml", SYNC)
    write("clusters/prod/kustomization.yaml", KUSTOMIZATION + "resources: [gotk-sync.yaml, ../../app]\n")
    write("app/kustomization.yaml", KUSTOMIZATION + text)
    for name, content in files.items():
        write("app/" + name.replace("__", "/").replace("_yaml", ".yaml"), content)


def many_config_maps(count, more=""):
    return "---\n".join(CONFIG_MAP.format(f"m{i}") + more for i in range(count))


def kustomize_patches(write, count=1500):
    kustomization(write, "resources: [all.yaml]\npatches:\n" + "".join(
        "  - { target: { kind: ConfigMap }, patch: '[{ op: add, path: /data/k" + str(i) + ", value: v }]' }\n" for i in range(count)),
        all_yaml=many_config_maps(count, "data: { a: b }\n"))


def kustomize_replacements(write, count=1200):
    targets = "".join(f"      - {{ select: {{ kind: ConfigMap }}, fieldPaths: [data.a{i}], options: {{ create: true }} }}\n" for i in range(count))
    kustomization(write, "resources: [all.yaml]\nreplacements:\n  - source: { kind: ConfigMap, name: m0, fieldPath: data.a }\n    targets:\n" + targets,
                  all_yaml=many_config_maps(count, "data: { a: b }\n"))


def kustomize_doubling(write, depth=60):
    """Each replacement puts the value twice into the next."""
    steps = "".join(f"  - source: {{ kind: ConfigMap, name: m0, fieldPath: data.a }}\n    targets: [{{ select: {{ kind: ConfigMap, name: m0 }}, fieldPaths: [data.a], options: {{ delimiter: '-', index: {i} }} }}]\n"
                    for i in range(depth))
    kustomization(write, "resources: [all.yaml]\nreplacements:\n" + steps, all_yaml=many_config_maps(1, "data: { a: x-x }\n"))


def kustomize_variables(write, depth=60):
    names = "".join(f"  - {{ name: V{i}, objref: {{ kind: ConfigMap, name: m{i}, apiVersion: v1 }}, fieldref: {{ fieldpath: data.a }} }}\n" for i in range(depth))
    maps = "---\n".join(CONFIG_MAP.format(f"m{i}") + f"data: {{ a: \"$(V{i + 1})$(V{i + 1})\" }}\n" for i in range(depth)) + "---\n" + CONFIG_MAP.format(f"m{depth}") + "data: { a: x }\n"
    kustomization(write, "resources: [all.yaml]\nconfigurations: [c.yaml]\nvars:\n" + names, all_yaml=maps, c_yaml="varReference: [{ path: data/a, kind: ConfigMap }]\n")


def kustomize_generators(write, count=4000):
    entries = "".join(f"  - {{ name: g{i}, files: [big.txt] }}\n" for i in range(count))
    kustomization(write, "configMapGenerator:\n" + entries)
    write("app/big.txt", "line of a file\n" * 20_000)


def kustomize_prefixes(write, depth=90, count=200):
    kustomization(write, "resources: [k0]\n")
    for i in range(depth):
        write("app/" + "".join(f"k{j}/" for j in range(i + 1)) + "kustomization.yaml",
              KUSTOMIZATION + f"namePrefix: {'p' * 200}-\ncommonLabels: {{ l{i}: v }}\nresources: [{'k' + str(i + 1) if i + 1 < depth else 'all.yaml'}]\n")
    write("app/" + "".join(f"k{j}/" for j in range(depth)) + "all.yaml", many_config_maps(count))


def kustomize_lists(write, count=3000):
    """A strategic merge of two long lists by key."""
    containers = "".join(f"      - {{ name: c{i}, image: a }}\n" for i in range(count))
    head = "apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: d }\nspec:\n  template:\n    spec:\n      containers:\n"
    kustomization(write, "resources: [all.yaml]\npatches: [{ path: p.yaml }]\n", all_yaml=head + containers,
                  p_yaml=head + "".join(f"      - {{ name: c{count - i}, image: b }}\n" for i in range(count)))


def kustomize_images(write, count=3000):
    containers = "".join(f"      - {{ name: c{i}, image: i{i} }}\n" for i in range(count))
    kustomization(write, "resources: [all.yaml]\nimages:\n" + "".join(f"  - {{ name: i{i}, newTag: v{i} }}\n" for i in range(count)),
                  all_yaml="apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: d }\nspec:\n  template:\n    spec:\n      containers:\n" + containers)


def flux_components(write, count=600):
    kustomization(write, "resources: [all.yaml]\n", all_yaml=many_config_maps(5))
    write("clusters/prod/kustomization.yaml", KUSTOMIZATION + "resources: [gotk-sync.yaml, apps.yaml]\n")
    write("comp/kustomization.yaml", "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches: [{ target: { kind: ConfigMap }, patch: '[{ op: add, path: /metadata/labels, value: { a: b } }]' }]\n")
    write("clusters/prod/apps.yaml", "---\n".join(
        f"apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {{ name: k{i}, namespace: flux-system }}\n"
        f"spec: {{ interval: 1m, prune: true, path: ./app, namePrefix: p{i}-, components: [{', '.join(['../comp'] * 20)}], sourceRef: {{ kind: GitRepository, name: flux-system }} }}\n" for i in range(count)))


def substituted_doubling(write, depth=40):
    """Each variable is the one before, twice."""
    kustomization(write, "resources: [all.yaml]\n", all_yaml=CONFIG_MAP.format("m") + f"data: {{ a: \"${{V{depth}}}\" }}\n")
    values = ", ".join(f"V{i}: \"${{V{i - 1}}}${{V{i - 1}}}\"" if i else "V0: xxxxxxxx" for i in range(depth + 1))
    write("clusters/prod/kustomization.yaml", KUSTOMIZATION + "resources: [gotk-sync.yaml, apps.yaml]\n")
    write("clusters/prod/apps.yaml", "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: k, namespace: flux-system }\n"
          f"spec: {{ interval: 1m, prune: true, path: ./app, postBuild: {{ substitute: {{ {values} }} }}, sourceRef: {{ kind: GitRepository, name: flux-system }} }}\n")


ALL = [chart_ranges, chart_idle_ranges, chart_range_of_number, chart_include_itself, chart_include_tree, chart_tpl_itself, chart_widths, chart_doubling,
       chart_growing_lists, chart_dict_of_itself, chart_files_often, chart_regexes, chart_shared_lists, chart_dear_functions, chart_nested_actions, chart_numbers, chart_many_releases, chart_subcharts,
       chart_yaml_aliases, chart_schema, kustomize_patches, kustomize_replacements, kustomize_doubling, kustomize_variables, kustomize_generators,
       kustomize_prefixes, kustomize_lists, kustomize_images, flux_components, substituted_doubling]
