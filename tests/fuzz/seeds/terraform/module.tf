locals {
  text = templatefile("${path.module}/node.tftpl", {
    name = var.name, files = [for f in var.files : f if f != ""]
    "quoted" : { a = 1 } # comment
    body = <<-EOT
      ${indent(2, local.x)} %{ if true }y%{ endif }
    EOT
  })
  other = templatefile("x.tftpl", merge(local.vars, { k = (1 + 2) }))
}
