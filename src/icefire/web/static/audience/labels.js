// Places for names beside points, so that they cover neither each other nor a point. Names move,
// points never do: each lies where its scores are.

const DIRECTIONS = [
  [1, 0],
  [-1, 0],
  [0, -1],
  [0, 1],
  [1, -1],
  [1, 1],
  [-1, -1],
  [-1, 1],
];

/**
 * The middle of a label for each of `points` ({ x, y, width, height }) inside `area` ({ left, top,
 * right, bottom }): beside its point, further away where that is taken (up to `rings` lines), and
 * null where there is no room at all. Labels of points with a `pile` stand in columns on both sides
 * of it, so that lines to them fan out. `texts` are boxes that are taken already.
 */
export function placeLabels(points, area, { radius, rings, texts = [] }) {
  const dots = points.map(({ x, y }) => box(x, y, 2 * radius, 2 * radius));
  const taken = [...texts];
  return points.map((point, index) => {
    const others = [...taken, ...dots.filter((_, number) => number !== index)];
    const places = point.pile ? fan(point, radius, rings) : candidates(point, radius, rings);
    const found = places.find(
      (label) => inside(label, area) && others.every((other) => !overlap(label, other)),
    );
    if (!found) {
      return null;
    }
    taken.push(found);
    return { x: (found.left + found.right) / 2, y: (found.top + found.bottom) / 2 };
  });
}

/** Points, by number, that cover each other since they lie nearer than `distance`. */
export function pilesOf(points, distance) {
  let piles = [];
  points.forEach(({ x, y }, index) => {
    const near = (other) => Math.hypot(x - points[other].x, y - points[other].y) < distance;
    const joined = piles.filter((pile) => pile.some(near));
    piles = [...piles.filter((pile) => !joined.includes(pile)), [...joined.flat(), index]];
  });
  return piles.filter(({ length }) => length > 1);
}

/** Rows of columns on both sides of a point, from the middle upwards and downwards. */
function fan({ x, y, width, height }, radius, rings) {
  const rows = Array.from(
    { length: 4 * rings },
    (_, row) => (row % 2 ? 1 : -1) * Math.ceil(row / 2),
  );
  const gap = 3.5 * radius + width / 2;
  return rows.flatMap((row) =>
    [1, -1].map((side) => box(x + side * gap, y + 1.1 * row * height, width, height)),
  );
}

function candidates({ x, y, width, height }, radius, rings) {
  return Array.from({ length: rings }, (_, ring) => ring).flatMap((ring) =>
    DIRECTIONS.map(([across, down]) => {
      const gap = 1.25 * radius + 4 + ring * 0.8 * height;
      const shift = across && down ? 0.75 : 1;
      return box(
        x + across * (width / 2 + gap * shift),
        y + down * (height / 2 + gap * shift),
        width,
        height,
      );
    }),
  );
}

function box(x, y, width, height) {
  return { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
}

function inside(label, area) {
  const across = label.left >= area.left && label.right <= area.right;
  return across && label.top >= area.top && label.bottom <= area.bottom;
}

function overlap(one, other) {
  const across = one.left < other.right && other.left < one.right;
  return across && one.top < other.bottom && other.top < one.bottom;
}
