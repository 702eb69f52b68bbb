"""Line charts as small SVG files: at most some hundred points a curve, one or two decimals."""
import math

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 300, 62, 12, 28, 40
COLOURS = ["#1f6fb4", "#c8501e", "#2f8f4e", "#8a4fb0", "#8c6d1f", "#555555", "#d0609a", "#3aa6a6", "#a0a000"]
MOST_POINTS = 300


def ticks(low, high, wanted=6):
    rough = (high - low) / wanted
    size = 10 ** math.floor(math.log10(rough))
    step = min((m * size for m in (1, 2, 5, 10)), key=lambda s: abs(s - rough))
    first = math.ceil(low / step - 1e-9)
    return [k * step for k in range(first, math.floor(high / step + 1e-9) + 1)]


def label(value):
    return f"{value:.6g}"


def thinned(xs, ys, log):
    """Of runs of points, their first, lowest and highest, so that peaks stay."""
    points = [(x, y) for x, y in zip(xs, ys) if math.isfinite(x) and math.isfinite(y) and (not log or y > 0)]
    part = max(1, math.ceil(len(points) / MOST_POINTS * 2))
    if part <= 2:
        return points
    result = []
    for start in range(0, len(points), part):
        group = points[start:start + part]
        ends = {group.index(min(group, key=lambda p: p[1])), group.index(max(group, key=lambda p: p[1]))}
        result += [group[k] for k in sorted(ends)]
    return result + points[-1:]


def evenly(xs, ys):
    """For paths, whose order matters and not their peaks."""
    step = max(1, math.ceil(len(xs) / MOST_POINTS))
    return list(zip(xs, ys))[::step]


def write_chart(file, title, curves, x_name, y_name, log=False, path=False, equal=False):
    """`log`: the y axis; `path`: curves in the plane rather than functions of x; `equal`: the same scale on both axes."""
    drawn = [(name, evenly(xs, ys) if path else thinned(xs, ys, log)) for name, xs, ys in curves]
    all_x = [p[0] for _, points in drawn for p in points]
    all_y = [math.log10(p[1]) if log else p[1] for _, points in drawn for p in points]
    low_x, high_x, low_y, high_y = min(all_x), max(all_x), min(all_y), max(all_y)
    if log:
        low_y, high_y = math.floor(low_y), math.ceil(high_y)
    if high_y - low_y < 1e-12 * max(1, abs(high_y)):
        low_y, high_y = low_y - 1, high_y + 1
    margin = 0 if log else 0.05 * (high_y - low_y)
    low_y, high_y = low_y - margin, high_y + margin
    width, height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    if equal:
        scale = max((high_x - low_x) / width, (high_y - low_y) / height)
        middle_x, middle_y = 0.5 * (low_x + high_x), 0.5 * (low_y + high_y)
        low_x, high_x = middle_x - 0.5 * scale * width, middle_x + 0.5 * scale * width
        low_y, high_y = middle_y - 0.5 * scale * height, middle_y + 0.5 * scale * height

    def place(x, y):
        y = math.log10(y) if log else y
        return LEFT + width * (x - low_x) / (high_x - low_x), TOP + height * (1 - (y - low_y) / (high_y - low_y))

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="11">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
           f'<text x="{LEFT}" y="16" font-size="13">{title}</text>']
    for value in ticks(low_x, high_x):
        px, _ = place(value, 10 ** low_y if log else low_y)
        out.append(f'<path d="M{px:.1f} {TOP}V{TOP + height}" stroke="#e4e4e4"/><text x="{px:.1f}" y="{TOP + height + 14}" text-anchor="middle">{label(value)}</text>')
    marks = range(int(low_y), int(high_y) + 1) if log else ticks(low_y, high_y)
    skip = max(1, math.ceil(len(marks) / 10))
    for value in list(marks)[::skip]:
        _, py = place(low_x, 10 ** value if log else value)
        text = f"1e{value}" if log else label(value)
        out.append(f'<path d="M{LEFT} {py:.1f}H{LEFT + width}" stroke="#e4e4e4"/><text x="{LEFT - 5}" y="{py + 4:.1f}" text-anchor="end">{text}</text>')
    out.append(f'<rect x="{LEFT}" y="{TOP}" width="{width}" height="{height}" fill="none" stroke="#999"/>')
    out.append(f'<text x="{LEFT + width / 2}" y="{HEIGHT - 8}" text-anchor="middle">{x_name}</text>')
    out.append(f'<text transform="translate(13 {TOP + height / 2}) rotate(-90)" text-anchor="middle">{y_name}</text>')
    for number, (name, points) in enumerate(drawn):
        colour = COLOURS[number % len(COLOURS)]
        line = " ".join(f"{px:.1f},{py:.1f}" for px, py in (place(x, y) for x, y in points))
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.2"/>')
        if name:
            y = TOP + 14 + 14 * number
            out.append(f'<path d="M{LEFT + width - 150} {y - 4}h18" stroke="{colour}" stroke-width="2"/><text x="{LEFT + width - 127}" y="{y}">{name}</text>')
    file.parent.mkdir(exist_ok=True)
    file.write_text("\n".join([*out, "</svg>"]) + "\n")
