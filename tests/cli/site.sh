# The documentation becomes a site: every page is in it, pages load nothing from other hosts, and the search of a page
# that is opened as a file finds sections.
. "$(dirname "$0")/_lib.sh"
command -v mkdocs >/dev/null || { echo "skipped: no mkdocs"; exit 77; }
command -v chromium >/dev/null || { echo "skipped: no chromium"; exit 77; }
site=$work/site
expect 0 sh "$SOURCE/tools/site.sh" "$site"
for page in $(cd "$SOURCE/docs" && find . -name '*.md' ! -path ./README.md | sed 's/\.md$//'); do
  file=$(echo "$page" | sed "s,README$,index,")
  [ -s "$site/$file.html" ] || complain "the site has no page $page"
  grep -q -- "- ${page#./}.md$" "$SOURCE/tools/mkdocs.yml" || complain "the menu in tools/mkdocs.yml lacks $page"
done
# Readers may follow links to other hosts; pages load nothing from there.
loads=$(grep -rhoE '<[a-z]+[^>]* (src|href)="(https?:)?//[^>]*' --include='*.html' "$site" | grep -v '^<a ')
[ -z "$loads" ] || complain "pages load from other hosts: $loads"
# Links out of docs/ lead to copies in the site.
has "$site/how-to/studies.html" 'href="../source/examples/studies/index.html"'
has "$site/gallery.html" 'href="source/examples/studies/lanes.yaml"'
cmp -s "$site/source/examples/studies/lanes.yaml" "$SOURCE/examples/studies/lanes.yaml" || complain "the site lacks a study"
printf '<a href="../none.md">none</a>' >"$site/bad.html"
expect 1 python3 "$SOURCE/tools/site_links.py" "$site"
says "bad.html: ../none.md"
rm "$site/bad.html"
found() { timeout 60 chromium --headless --no-sandbox --disable-gpu --dump-dom "file://$site/search.html?q=$1" 2>/dev/null; }
found spool | grep -q 'href="./reference/laboratory.html#the-spool"' || complain "the search does not find the spool"
found zzqzz | grep -q '>No results found<' || complain "the search does not say that it finds nothing"
finish
