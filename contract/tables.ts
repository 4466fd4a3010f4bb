/**
 * What keeps a program from a database's tables, before it changes any; null where nothing does.
 * @param applied the migrations that were run there
 * @param known those that came with the program, in order
 */
export function tablesProblem(applied: readonly string[], known: readonly string[]) {
  const strange = applied.filter((name) => !known.includes(name)).length;
  if (strange === 0) return null;
  // The first has the same name in every program.
  return known.slice(1).some((name) => applied.includes(name))
    ? `its tables are of a newer Duebook, which made ${strange} ${strange === 1 ? "change" : "changes"} that are unknown here. Start the newer one, or restore the backup from before it`
    : "it holds the tables of another program. Each needs a database of its own";
}
