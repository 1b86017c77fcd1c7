kubectl -n ${namespace} apply -f - <<'END'
{{ .Values.text }}
END
x=$(echo "$(cat 'a b')" \
  | tee >(wc) 2>>log &) ; [[ a =~ b ]] && { true; }
