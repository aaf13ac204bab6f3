// Places for names beside points, so that they cover neither each other nor a point.

const ROUNDS = 20;
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
 * null where there is no room at all. `texts` are boxes that are taken already.
 */
export function placeLabels(points, area, { radius, rings, texts = [] }) {
  const dots = points.map(({ x, y }) => box(x, y, 2 * radius, 2 * radius));
  const taken = [...texts];
  return points.map((point, index) => {
    const others = [...taken, ...dots.filter((_, number) => number !== index)];
    const found = candidates(point, radius, rings).find(
      (label) => inside(label, area) && others.every((other) => !overlap(label, other)),
    );
    if (!found) {
      return null;
    }
    taken.push(found);
    return { x: (found.left + found.right) / 2, y: (found.top + found.bottom) / 2 };
  });
}

/** Points that lie nearer to each other than `distance` moved apart, as little as that takes. */
export function apart(points, distance) {
  const moved = points.map((point) => ({ ...point }));
  for (let round = 0; round < ROUNDS; round += 1) {
    moved.forEach((one, index) => {
      for (const other of moved.slice(index + 1)) {
        part(one, other, distance);
      }
    });
  }
  return moved;
}

function part(one, other, distance) {
  const [across, down] = [other.x - one.x, other.y - one.y];
  const length = Math.hypot(across, down);
  if (length >= distance) {
    return;
  }
  // Points in the same place move to the left and to the right.
  const [x, y] = length > 0 ? [across / length, down / length] : [1, 0];
  const step = (distance - length) / 2;
  Object.assign(one, { x: one.x - step * x, y: one.y - step * y });
  Object.assign(other, { x: other.x + step * x, y: other.y + step * y });
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
