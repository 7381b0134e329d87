"""The results as one SVG, for light and dark pages alike: no background, middle tones."""

from html import escape

INK = "#768390"
OURS, SERDE, OTHER = "#2f81f7", "#3fb950", "#a371f7"
WIDTH, LABEL, BAR, GAP = 860, 250, 15, 5


def colour(name):
    if name.startswith("callpact"):
        return OURS
    return SERDE if name.startswith(("serde", "schemars")) else OTHER


def text(x, y, words, size=12, anchor="start", weight="normal"):
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" font-weight="{weight}" '
        f'fill="{INK}">{escape(words)}</text>'
    )


def panel(top, title, groups, longest=None):
    """A title and groups of bars: (group, [(name, value, label)]). Returns SVG lines and their end."""
    lines = [text(0, top + 14, title, 15, weight="bold")]
    y = top + 28
    space = WIDTH - LABEL - 110
    for group, bars in groups:
        most = longest or max(value for _, value, _ in bars)
        if group:
            lines.append(text(0, y + 12, group, 12, weight="bold"))
            y += 20
        for name, value, label in bars:
            full = max(1.0, min(value / most, 1.0) * space)
            lines.append(text(LABEL - 8, y + BAR - 3, name, 12, "end"))
            lines.append(
                f'<rect x="{LABEL}" y="{y}" width="{full:.1f}" height="{BAR}" rx="2" fill="{colour(name)}"/>'
            )
            cut = " …" if value > most else ""
            lines.append(text(LABEL + full + 6, y + BAR - 3, label + cut))
            y += BAR + GAP
        y += 10
    return lines, y + 14


def svg(panels):
    lines, y = [], 0
    for title, groups, longest in panels:
        drawn, y = panel(y, title, groups, longest)
        lines += drawn
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 -6 {WIDTH + 20} {y + 6}" '
        f'width="{WIDTH + 20}" font-family="ui-sans-serif, system-ui, Helvetica, Arial, sans-serif">'
    )
    return "\n".join([head, *lines, "</svg>"]) + "\n"
