# docs/how-to/ptx.md lists the supported and unsupported instructions as in the opcode table and the parser.
. "$SOURCE/tests/cli/_lib.sh"
cd "$work" || exit 1

section() { # FROM TO: the text of docs/how-to/ptx.md between these
  sed -n "/^$1/,/^$2/{/^$2/!p}" "$SOURCE/docs/how-to/ptx.md" | grep -o '`[^`]*`' | tr -d '`' | tr ' ' '\n' | sed 's/\..*//' | sort -u
}
section '| group' 'These instructions are refused' >listed
sed -n 's/^    {"\([a-z0-9]*\)", sl_ptx_form.*/\1/p' "$SOURCE/src/ptx/text/ptx_forms.c" | sort -u >has
[ "$(wc -l <has)" -gt 60 ] || complain "the table of opcodes is not found in src/ptx/text/ptx_forms.c"
missing=$(comm -13 listed has | tr '\n' ' ')
[ -z "$missing" ] || complain "docs/how-to/ptx.md does not list $missing"

section 'These instructions are refused' 'These forms of supported' | grep -v '^-' >refused
[ "$(wc -l <refused)" -gt 8 ] || complain "docs/how-to/ptx.md has no list of refused instructions"
while read -r opcode; do
  printf '.version 6.4\n.target sm_70\n.address_size 64\n.entry k()\n{\n\t%s.x %%r1;\n\tret;\n}\n' "$opcode" >x.ptx
  expect 2 "$SIMTLAB" disasm x.ptx
  says "x.ptx:6:2: simtlab does not support the instruction '$opcode'"
done <refused
finish
