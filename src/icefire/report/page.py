"""A report as one self-contained HTML file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from icefire.core.chapters import Chapter, Language, RiskRow, Section, Table
from icefire.report.bundle import bundle


@dataclass(frozen=True)
class Page:
    """One file; several chapters get headings of their own and links to them."""

    title: str
    chapters: Sequence[Chapter]
    footer: str
    language: Language = "en"

    def html(self) -> str:
        drawn = {
            f"chart{c}-{s}": section.chart
            for c, chapter in enumerate(self.chapters)
            for s, section in enumerate(chapter.sections)
            if section.chart is not None
        }
        script = bundle() if drawn else ""
        body = "\n".join(self._chapter(number, chapter) for number, chapter in enumerate(self.chapters))
        documents = json.dumps(drawn, ensure_ascii=False)
        return (
            f'<!doctype html>\n<html lang="{self.language}">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            '<meta name="color-scheme" content="light dark">\n'
            f"<title>{escape(self.title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
            f"<header><h1>{escape(self.title)}</h1>{self._links()}</header>\n"
            f"{body}\n<footer>{escape(self.footer)}</footer>\n</main>\n"
            f"<script>{script.replace('</script', '<' + chr(92) + '/script')}</script>\n"
            # In JSON every < can be written as an escape, so that no text ends the script element.
            f"<script>const CHARTS={documents.replace('<', chr(92) + 'u003c')};\n{SCRIPT}</script>\n</body>\n</html>\n"
        )

    def _links(self) -> str:
        if len(self.chapters) < 2:
            return ""
        links = "".join(f'<a href="#chapter{i}">{escape(chapter.title)}</a>' for i, chapter in enumerate(self.chapters))
        return f"<nav>{links}</nav>"

    def _chapter(self, number: int, chapter: Chapter) -> str:
        heading = (
            f'<h2 class=chapter id="chapter{number}">{escape(chapter.title)}</h2>' if len(self.chapters) > 1 else ""
        )
        tiles = "".join(
            f'<div class="tile {tone}"><b>{escape(big)}</b><span>{escape(small)}</span></div>'
            for big, small, tone in chapter.tiles
        )
        answer = f'<p class="answer {chapter.answer[1]}">{escape(chapter.answer[0])}</p>' if chapter.answer else ""
        if chapter.described:
            answer += f"<p class=described>{escape(chapter.described)}</p>"
        command = f"<pre>{escape(chapter.command)}</pre>" if chapter.command else ""
        parts = [f"{heading}{answer}<p class=verdict>{escape(chapter.verdict)}</p>{command}"]
        if chapter.risks:
            parts.append(risks_html(chapter))
        parts.append(f"<p class=lead>{escape(chapter.lead)}</p>")
        if tiles:
            parts.append(f"<div class=tiles>{tiles}</div>")
        parts += [self._section(f"{number}-{at}", section) for at, section in enumerate(chapter.sections)]
        return "\n".join(parts)

    @staticmethod
    def _section(number: str, section: Section) -> str:
        title = f"<h2>{escape(section.title)}</h2>"
        parts = [f"<section><details><summary>{title}</summary>" if section.folded else f"<section>{title}"]
        if section.warning:
            parts.append(f"<p class=warning>{escape(section.warning)}</p>")
        if section.text:
            parts.append(f"<p>{escape(section.text)}</p>")
        if section.chart is not None:
            parts.append(
                f'<div class=scroll><div class=chart id="chart{number}" style="min-width:{section.chart_width}px" '
                f'role="img" aria-label="{escape(section.title)}"></div></div>'
            )
        parts += [table_html(table) for table in section.tables]
        if section.code:
            parts.append(f"<pre>{escape(section.code)}</pre>")
        return "\n".join([*parts, "</details></section>" if section.folded else "</section>"])


MARKS = {"meets": "✓", "exceeds": "!", "unknown": "?", "not asked": "–"}


def risks_html(chapter: Chapter) -> str:
    """A row for each risk: a bar from 0 to 100% with the limit, the figures, and whose risk it is."""
    rows = []
    for row in chapter.risks:
        label = f"<h3>{escape(row.label)}</h3>" if row.label else ""
        limit = f"<span class=limit>{escape(chapter.limit_word)} {escape(row.limit)}</span>" if row.limit else ""
        status = f'<span class="status {row.status.replace(" ", "-")}"><i>{MARKS[row.status]}</i>'
        rows.append(
            f"<li>{label}<div class=risk>{_bar(row)}<b class={row.status.replace(' ', '-')}>{escape(row.risk)}</b>"
            f"{limit}{status} {escape(row.status_text)}</span><span class=who>{escape(row.text)}</span></div></li>"
        )
    utility = "".join(f"<li>{escape(phrase)}</li>" for phrase in chapter.utility)
    after = f"<h3>{escape(chapter.utility_word)}</h3><ul class=kept>{utility}</ul>" if utility else ""
    return f"<section class=risks><ul>{''.join(rows)}</ul>{after}</section>"


def _bar(row: RiskRow) -> str:
    """From 0 to 1: allowed up to the limit, the interval, the risk, and the baseline as a dotted line."""
    if row.share is None:
        return "<span class=bar></span>"
    parts = ['<rect class=track width="100" height="10"/>']
    if row.limit_share is not None:
        parts.append(f'<rect class=allowed width="{100 * row.limit_share:.1f}" height="10"/>')
    if row.interval is not None:
        low, high = (100 * min(1.0, max(0.0, end)) for end in row.interval)
        parts.append(f'<rect class=interval x="{low:.1f}" y="2" width="{high - low:.1f}" height="6"/>')
    if row.baseline is not None:
        parts.append(f'<rect class=baseline x="{100 * row.baseline:.1f}" width=".4" height="10"/>')
    if row.limit_share is not None:
        parts.append(f'<rect class=edge x="{100 * row.limit_share:.1f}" width=".5" height="10"/>')
    place = min(98.6, max(0.0, 100 * row.share - 0.7))
    parts.append(f'<rect class={row.status.replace(" ", "-")} x="{place:.1f}" width="1.4" height="10"/>')
    drawn = "".join(parts)
    return f'<svg class=bar viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">{drawn}</svg>'


def table_html(table: Table) -> str:
    """A table, folded under its caption if it asks for that."""
    side = [" class=words" if position in table.texts else "" for position in range(len(table.header))]
    head = "".join(f"<th{s}>{escape(name)}</th>" for s, name in zip(side, table.header, strict=True))
    lines = ("".join(f"<td{s}>{_cell(cell)}</td>" for s, cell in zip(side, row, strict=True)) for row in table.rows)
    rows = "".join(f"<tr>{line}</tr>" for line in lines)
    body = f"<div class=scroll><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    if table.folded:
        return f"<details><summary>{escape(table.caption)}</summary>{body}</details>"
    return (f"<h3>{escape(table.caption)}</h3>" if table.caption else "") + body


def _cell(text: str) -> str:
    first, _, rest = text.partition("\n")
    return escape(first) + (f"<small>{escape(rest)}</small>" if rest else "")


STYLE = """
:root{--paper:#fbfbfa;--card:#fff;--ink:#1d2329;--soft:#5b6670;--line:#e3e6e8;
--ice:#2b7cc4;--fire:#d4481f;--warn:#fff1e6}
@media (prefers-color-scheme:dark){:root{--paper:#14181c;--card:#1c2227;--ink:#e8ecef;--soft:#a3adb5;--line:#323a41;
--ice:#6db5f2;--fire:#ff8a63;--warn:#3a2618}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);line-height:1.55;
font-family:system-ui,-apple-system,"Segoe UI","Hiragino Sans","Noto Sans CJK JP","Noto Sans JP",sans-serif}
main{max-width:60rem;margin:0 auto;padding:2rem 1.1rem 4rem}
h1{font-size:clamp(1.5rem,4vw,2.2rem);line-height:1.2;margin:0 0 .6rem}
h2{font-size:1.2rem;margin:0 0 .4rem}
h2.chapter{font-size:1.5rem;margin:3rem 0 .4rem;padding-top:1.5rem;border-top:1px solid var(--line)}
nav{display:flex;flex-wrap:wrap;gap:.6rem 1.2rem;margin:.4rem 0}
nav a{color:var(--ice)}
.verdict{font-size:clamp(1.05rem,2.6vw,1.3rem);font-weight:600;margin:.2rem 0 .6rem}
.answer{font-size:clamp(1.3rem,4vw,1.8rem);font-weight:700;line-height:1.3;margin:.6rem 0;
padding-left:.8rem;border-left:.4rem solid var(--ice)}
.answer.fire{border-left-color:var(--fire)}
.lead,section p{color:var(--soft);margin:.2rem 0 1rem;max-width:46rem}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:.8rem;margin:1.2rem 0}
.tile{background:var(--card);border:1px solid var(--line);
border-top:4px solid var(--ice);border-radius:.5rem;padding:.7rem .9rem}
.tile.fire{border-top-color:var(--fire)}
.tile b{display:block;font-size:1.7rem;line-height:1.2}
.tile span{color:var(--soft);font-size:.85rem}
.described{color:var(--soft);margin:.2rem 0 .6rem}
.risks ul{list-style:none;margin:0;padding:0}
.risks h3{margin:.9rem 0 .1rem}
.risks li:first-child h3{margin-top:0}
.risk{display:grid;grid-template-columns:minmax(8rem,1fr) 4.2rem 5.6rem 7.5rem;gap:.1rem .8rem;align-items:center;
padding:.25rem 0}
.risk b{text-align:right;font-variant-numeric:tabular-nums}
.risk .limit{color:var(--soft);font-size:.9rem}
.risk .who{grid-column:1/-1;color:var(--soft);font-size:.9rem;overflow-wrap:anywhere}
.bar{display:block;width:100%;height:.8rem}
.bar .track{fill:var(--line)}
.bar .allowed{fill:var(--ice);opacity:.3}
.bar .interval{fill:var(--soft);opacity:.55}
.bar .baseline,.bar .edge{fill:var(--ink)}
.bar .meets{fill:var(--ice)}
.bar .exceeds{fill:var(--fire)}
.bar .unknown,.bar .not-asked{fill:var(--soft)}
b.exceeds,.status.exceeds{color:var(--fire)}
b.meets,.status.meets{color:var(--ice)}
.status{white-space:nowrap;font-weight:600}
.status i{display:inline-block;width:1.5em;height:1.5em;line-height:1.5em;text-align:center;font-style:normal;
border-radius:50%;color:var(--card);margin-right:.25em;font-size:.8em}
.status.meets i{background:var(--ice)}
.status.exceeds i{background:var(--fire);border-radius:.15em}
.status.unknown i,.status.not-asked i{color:inherit;border:1px dashed currentColor;line-height:1.4em}
.status.unknown,.status.not-asked{color:var(--soft)}
.kept{color:var(--soft)}
section{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:1.1rem 1.2rem;margin:1.1rem 0}
.chart{width:100%}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.9rem;margin:.4rem 0 1rem}
h3,summary{font-size:1rem;font-weight:600;margin:.5rem 0 .2rem}
summary{cursor:pointer;padding:.25rem 0}
th,td{text-align:right;padding:.35rem .6rem;
border-bottom:1px solid var(--line);font-variant-numeric:tabular-nums;vertical-align:top}
td{white-space:nowrap}
th.words,td.words{text-align:left;white-space:normal;min-width:6.5rem}
td.words:first-child:has(small){min-width:13rem}
td small{display:block;color:var(--soft);font-size:.8rem;max-width:34rem}
summary h2{display:inline}
th{color:var(--soft);font-weight:600;min-width:4.2em}
pre{background:var(--paper);border:1px solid var(--line);border-radius:.4rem;padding:.8rem;white-space:pre-wrap;
overflow-wrap:anywhere;font-size:.85rem;margin:.4rem 0}
.warning{background:var(--warn);
color:var(--ink)!important;border-left:4px solid var(--fire);padding:.6rem .8rem;border-radius:.3rem}
footer{color:var(--soft);font-size:.85rem;margin-top:2rem}
@media (max-width:32rem){.risk{grid-template-columns:4rem 1fr auto}.risk .bar{grid-column:1/-1}.risk b{text-align:left}
section{padding:.9rem .8rem}table{font-size:.8rem}th,td{padding:.3rem}
th.words,td.words{min-width:4.5rem}td.words:first-child,td.words:first-child:has(small){min-width:9rem}}
@page{margin:14mm}
@media print{main{max-width:none;padding:0}section{break-inside:avoid-page}section:has(table){break-inside:auto}
tr,h2,h3{break-inside:avoid;break-after:auto}h2,h3,summary{break-after:avoid}.scroll{overflow:visible}}
"""

SCRIPT = """
const dark = window.matchMedia("(prefers-color-scheme: dark)");
function draw(inside = document) {
  const ink = dark.matches ? "#e8ecef" : "#1d2329", soft = dark.matches ? "#a3adb5" : "#5b6670",
        line = dark.matches ? "#323a41" : "#e3e6e8";
  const config = {background: "transparent", font: getComputedStyle(document.body).fontFamily, view: {stroke: null},
    axis: {labelColor: soft, titleColor: soft, gridColor: line, domainColor: line, tickColor: line, labelFontSize: 12,
           titleFontSize: 12, titleFontWeight: "normal"},
    legend: {labelColor: ink, titleColor: soft, labelFontSize: 12}, text: {color: ink}, title: {color: ink},
    header: {labelColor: ink}};
  for (const place of inside.querySelectorAll(".chart"))
    vegaEmbed(place, CHARTS[place.id],
      {config, actions: false, renderer: "svg", tooltip: {theme: dark.matches ? "dark" : "light"}});
}
draw();
dark.addEventListener("change", () => draw());
// A chart takes its width from the page, and has none while it is folded away.
const folds = document.querySelectorAll("section>details");
for (const fold of folds) fold.addEventListener("toggle", () => draw(fold));
addEventListener("beforeprint", () => { for (const fold of folds) fold.open = true; });
"""
