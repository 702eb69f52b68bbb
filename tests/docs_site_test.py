#!/usr/bin/env python3
"""Builds the documentation site and follows all its links: docs_site_test.py

Every link and image must lead to a file of the site, every #anchor to a heading; every page of docs/ must be there and
be reached from the navigation.
"""
import html.parser
import pathlib
import subprocess
import sys
import tempfile
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.formulas = set(), [], 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if "id" in attributes:
            self.ids.add(attributes["id"])
        self.formulas += tag == "math"
        for key in ("href", "src"):
            if key in attributes:
                self.links.append(attributes[key])


def problems_of(site):
    pages = {path.name: Page(path.read_text(encoding="utf-8")) for path in site.glob("*.html")}
    for source in (ROOT / "docs").glob("*.md"):
        if source.stem + ".html" not in pages:
            yield f"docs/{source.name} has no page"
    checked = 0
    for name, page in sorted(pages.items()):
        for link in page.links:
            target = urllib.parse.urlparse(link)
            if target.scheme in ("http", "https"):
                continue
            checked += 1
            if target.scheme or target.netloc:
                yield f"{name}: {link} leads out of the site"
                continue
            file = target.path or name
            if not (site / file).is_file():
                yield f"{name}: {link}: there is no {file}"
            elif target.fragment and urllib.parse.unquote(target.fragment) not in pages[file].ids:
                yield f"{name}: {link}: {file} has no heading #{target.fragment}"
        text = (site / name).read_text(encoding="utf-8")
        if "$$" in text:
            yield f"{name}: a formula was not understood"
    if not sum(page.formulas for page in pages.values()):
        yield "there is no formula in all of the site"
    print(f"{len(pages)} pages, {checked} links within the site")


with tempfile.TemporaryDirectory() as folder:
    site = pathlib.Path(folder) / "site"
    subprocess.run([ROOT / "scripts/build-docs", site], check=True)
    found = list(problems_of(site))
print("\n".join(found) or "all of them lead somewhere")
sys.exit(1 if found else 0)
