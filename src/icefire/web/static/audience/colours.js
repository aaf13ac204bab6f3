// How teams are told apart in pictures: a colour and a shape each, for forty teams and more.

// Colours next to each other in the list differ most: hues advance by the golden angle.
const TURN = 137.508;
const LIGHTNESS = [46, 38, 54];
const SHAPES = ["circle", "square", "diamond", "triangle", "cross"];

/** The colour and the shape of a team. */
export function markOf(board, team) {
  const index = Math.max(
    0,
    board.teams.findIndex(({ id }) => id === team),
  );
  const hue = Math.round((205 + index * TURN) % 360);
  const lightness = LIGHTNESS[Math.floor(index / SHAPES.length) % LIGHTNESS.length];
  return { colour: `hsl(${hue} 68% ${lightness}%)`, shape: SHAPES[index % SHAPES.length] };
}

/** The outline of a shape around the origin. */
export function outline(shape, r) {
  const [s, t] = [0.88 * r, 0.36 * r];
  return {
    circle: `M${-r},0a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0z`,
    square: `M${-s},${-s}H${s}V${s}H${-s}z`,
    diamond: `M0,${-1.2 * r}L${1.2 * r},0L0,${1.2 * r}L${-1.2 * r},0z`,
    triangle: `M0,${-1.15 * r}L${1.1 * r},${0.85 * r}H${-1.1 * r}z`,
    cross: `M${-t},${-r}H${t}V${-t}H${r}V${t}H${t}V${r}H${-t}V${t}H${-r}V${-t}H${-t}z`,
  }[shape];
}
