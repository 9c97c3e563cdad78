"""Mends links of the site that lead out of docs/: site_links.py SITE. The files of the source tree that pages name go to
SITE/source, and folders become a list of their files. Ends with status 1 if a link leads nowhere."""
import html
import os
import re
import shutil
import sys
from urllib.parse import unquote

site = os.path.realpath(sys.argv[1])
tree = os.path.realpath(os.path.join(os.path.dirname(__file__), ".."))
docs, wrong = os.path.join(tree, "docs"), []


def listing(names):
    items = "".join('<li><a href="%s">%s</a></li>' % (html.escape(name), html.escape(name)) for name in names)
    return '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Files</title><ul>%s</ul></html>' % items


def provide(path):
    """Puts a file or folder of the tree into the site; returns its place there."""
    place = os.path.join(site, "source", os.path.relpath(path, tree))
    if not os.path.isdir(path):
        os.makedirs(os.path.dirname(place), exist_ok=True)
        shutil.copyfile(path, place)
        return place
    os.makedirs(place, exist_ok=True)
    names = sorted(name for name in os.listdir(path) if os.path.isfile(os.path.join(path, name)))
    for name in names:
        provide(os.path.join(path, name))
    with open(os.path.join(place, "index.html"), "w", encoding="utf-8") as file:
        file.write(listing(names))
    return os.path.join(place, "index.html")


def mended(page, link):
    """The link of a page, or another in its place."""
    target, mark, section = html.unescape(link).partition("#")
    if target == "" or re.match(r"[a-z]+:|//", target):
        return link
    folder = os.path.dirname(page)
    if os.path.exists(os.path.join(folder, unquote(target)) if target[0] != "/" else site + unquote(target)):
        return link
    path = os.path.normpath(os.path.join(docs, os.path.relpath(folder, site), unquote(target)))
    if not path.startswith(tree + os.sep) or not os.path.exists(path):
        wrong.append("%s: %s" % (os.path.relpath(page, site), link))
        return link
    return html.escape(os.path.relpath(provide(path), folder)) + mark + section


for folder, _, files in os.walk(site):
    for name in files:
        page = os.path.join(folder, name)
        if not name.endswith(".html") or page.startswith(os.path.join(site, "source") + os.sep):
            continue
        with open(page, encoding="utf-8") as file:
            text = file.read()
        new = re.sub(r'(<(?:a|img)\b[^>]*? (?:href|src)=")([^"]*)(")', lambda m: m[1] + mended(page, m[2]) + m[3], text)
        if new != text:
            with open(page, "w", encoding="utf-8") as file:
                file.write(new)
for line in sorted(set(wrong)):
    print("site: a link leads nowhere: " + line, file=sys.stderr)
sys.exit(1 if wrong else 0)
