#!/bin/sh
set -eu
VERSION=1.2.3; export HELM="helm" FOO='b c'
curl -sfL "https://get.example.org/$VERSION" | INSTALL_K3S_VERSION=v1.30.1+k3s1 sh -s - --disable=traefik
if ! kubectl get ns "${NS:-flux-system}" >/dev/null 2>&1; then
  sudo env A=b timeout 30 $HELM upgrade --install x oci://r/x --version "$VERSION" -n y || true
fi
cat <<EOF > /tmp/file
a: $(date) `id` $((1 + 2))
EOF
for i in a b; do case "$i" in a|b) sh -c "echo \"$i\" && false" ;; esac; done
f() { local x=$1; } # comment
