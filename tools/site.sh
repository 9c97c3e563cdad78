#!/bin/sh
# Builds the documentation as a static site with search: site.sh [FOLDER, default build/site].
set -eu
cd "$(dirname "$0")/.."
mkdir -p "${1:-build/site}"
site=$(realpath "${1:-build/site}")
command -v mkdocs >/dev/null || {
  echo "site: mkdocs is not installed; install the Debian package mkdocs" >&2
  exit 1
}
mkdocs build --quiet --clean --config-file tools/mkdocs.yml --site-dir "$site"

# The theme's own search fetches its index, which a page opened as a file may not.
search=$site/search
{
  printf 'const search_index = '
  cat "$search/search_index.json"
  printf ';\n'
  cat tools/site_search.js
} >"$search/main.js"
rm -f "$search/worker.js" "$search/lunr.js" "$search/search_index.json"

# The source tree is not beside the site, so the files that pages link to go into it.
python3 tools/site_links.py "$site"

# A page must not load anything from another host.
if grep -rnE '(<script|<img|<iframe)[^>]*src="?(https?:)?//|<link[^>]*(stylesheet|icon)[^>]*href="?(https?:)?//' --include='*.html' "$site"; then
  echo "site: a page loads a file of another host" >&2
  exit 1
fi
echo "built $site/index.html"
