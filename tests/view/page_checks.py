# SPDX-License-Identifier: Apache-2.0
"""Rules of every page: no text that overflows, contrast as WCAG AA asks, controls by keyboard, no console message."""
import re

# Elements that are wider than the page, or whose text does not fit, outside of boxes that scroll.
OVERFLOW = """(() => {
  const wide = document.documentElement.clientWidth, found = [];
  if (document.documentElement.scrollWidth > wide) found.push(`the page is ${document.documentElement.scrollWidth} wide`);
  for (const e of document.querySelectorAll('main *, header *, footer *')) {
    const box = e.getBoundingClientRect();
    if (!box.width || e.closest('.scroll, pre, .stack, .uplot, #stages, #ranks-box, details:not([open]) > :not(summary)')) continue;
    if (box.right > wide + 1 || box.left < -1) found.push(`${e.tagName} ${e.id} ${e.textContent.slice(0, 40)} from ${box.left} to ${box.right}`);
  }
  return found.slice(0, 5);
})()"""

# Texts whose colour is too near to that behind them: 4.5, or 3 for large ones.
CONTRAST = r"""(() => {
  const parse = (text) => { const n = (text.match(/[\d.]+/g) || []).map(Number); return text.startsWith('color(srgb') ? [255 * n[0], 255 * n[1], 255 * n[2], n[3] ?? 1] : [n[0], n[1], n[2], n[3] ?? 1]; };
  const linear = (c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const behind = (e) => { for (let at = e; at; at = at.parentElement) { const c = parse(getComputedStyle(at).backgroundColor); if (c[3] > 0.99) return c; } return [255, 255, 255]; };
  const found = [];
  for (const e of document.querySelectorAll('body *')) {
    const own = [...e.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own || ['SCRIPT', 'STYLE', 'NOSCRIPT', 'TITLE', 'OPTION', 'title'].includes(e.tagName) || !e.checkVisibility()) continue;
    // Texts in cells of a map stand on the cells, which are drawn in the same order.
    const cells = e.closest('.cells'), style = getComputedStyle(e);
    if (style.visibility === 'hidden') continue;
    const svg = e instanceof SVGElement, colour = parse(svg ? style.fill : style.color);
    const under = cells ? parse(e.ownerSVGElement.querySelectorAll('[aria-label=cell] rect')[[...e.parentElement.children].indexOf(e)].getAttribute('fill')) :
      behind(svg ? e.ownerSVGElement.parentElement : e);
    const [a, b] = [luminance(colour), luminance(under)].sort((x, y) => y - x);
    const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if ((a + 0.05) / (b + 0.05) < (large ? 3 : 4.5)) found.push(`${e.tagName} ${e.textContent.slice(0, 30)}: ${((a + 0.05) / (b + 0.05)).toFixed(2)} ${style.color}`);
  }
  return [...new Set(found)].slice(0, 5);
})()"""

CONTROLS = "[...document.querySelectorAll('button, select, input, summary, [tabindex=\"0\"]')].filter((e) => e.checkVisibility() && !e.closest('tbody'))"


def check_page(chromium, page, expect, keyboard=True):
    """Opens the page narrow and wide, and looks at each dark and light; leaves it open, wide and light."""
    for width in (375, 1400):
        chromium.resize(width)
        chromium.open(page, dark=True)
        expect(chromium.run(OVERFLOW) == [], page, width, chromium.run(OVERFLOW))
        for dark in (True, False):
            chromium.mode(dark)
            expect(chromium.run(CONTRAST) == [], page, width, "dark" if dark else "light", chromium.run(CONTRAST))
    expect(not chromium.errors, page, chromium.errors)
    text = chromium.run("document.querySelector('main').innerText")
    found = re.search(r"\d\.\d{9,}|\bNaN\b|\bundefined\b|\bnull\b|\d\.\d+e[+-]?\d+", text)
    expect(not found, page, "an unreadable number", found and text[max(0, found.start() - 60):found.end() + 20])
    unnamed = chromium.run("[...document.querySelectorAll('svg[class^=plot], canvas')].filter((e) => !e.closest('[role=img], [aria-hidden=true]') && "
                           "!e.getAttribute('aria-label') && !e.getAttribute('aria-labelledby') && e.getAttribute('aria-hidden') !== 'true').length")
    expect(unnamed == 0, page, "charts without a name", unnamed)
    twice = chromium.run("(() => { const ids = [...document.querySelectorAll('[id]')].map((e) => e.id); "
                         "return ids.filter((id, i) => ids.indexOf(id) !== i); })()")
    expect(twice == [], page, "ids that are not unique", twice)
    if not keyboard:
        return
    controls = chromium.run(f"{CONTROLS}.length")
    chromium.run(f"{CONTROLS}.forEach((e, i) => {{ e.dataset.control = i; }})")
    reached = set()
    for _ in range(3 * controls + 40):
        chromium.press("Tab", 9)
        at = chromium.run("document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.control : undefined")
        if at is not None:
            reached.add(at)
        if len(reached) == controls:
            break
    expect(len(reached) == controls, page, "controls by keyboard", len(reached), controls,
           chromium.run(f"{CONTROLS}.filter((e) => !{sorted(reached)}.includes(e.dataset.control)).map((e) => e.outerHTML.slice(0, 80))"))
