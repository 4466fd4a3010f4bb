/**
 * Why a program must not use a database's tables, checked before it changes any; null if it
 * may.
 * @param applied the migrations applied to the database
 * @param known the program's own migrations, in order
 */
export function tablesProblem(applied: readonly string[], known: readonly string[]) {
  const strange = applied.filter((name) => !known.includes(name)).length;
  if (strange === 0) return null;
  // The first migration has the same name in every program.
  return known.slice(1).some((name) => applied.includes(name))
    ? `its tables are of a newer Duebook, which made ${strange} ${strange === 1 ? "change" : "changes"} that are unknown here. Start the newer one, or restore the backup from before it`
    : "it holds the tables of another program. Each needs a database of its own";
}
