# SPDX-License-Identifier: Apache-2.0
# Sphinx reads this for the HTML pages that docs/site/build.py makes (docs/decisions/0052-site-and-packages.md).
project = "psim"
author = "the psim authors"
extensions = ["myst_parser"]
myst_heading_anchors = 4
source_suffix = {".md": "markdown"}
exclude_patterns = ["workloads/**"]
root_doc = "docs/README"
html_theme = "alabaster"
html_theme_options = {"description": "See how a supercomputer will behave before it is built", "fixed_sidebar": True,
                      "page_width": "1200px", "sidebar_width": "260px", "show_powered_by": False}
html_sidebars = {"**": ["about.html", "searchbox.html", "navigation.html"]}
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_title = "psim"
highlight_language = "none"
# Code of other languages is shown as it is; an unknown word of its lexer does not stop the build.
suppress_warnings = ["misc.highlighting_failure", "myst.header", "toc.not_readable"]
