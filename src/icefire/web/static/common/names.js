// Names of teams, and of attacks that the judge runs itself.

/** A function from ids to names. Ids of the judge's own attacks begin with a star. */
export function namesIn(board) {
  const names = new Map(board.teams.map((team) => [team.id, team.name]));
  return (id) => names.get(id) ?? String(id ?? "").replace(/^\*/, "");
}
