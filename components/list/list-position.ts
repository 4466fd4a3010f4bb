interface Left {
  /** The list's filter and page, as they stand in the address. */
  search: string;
  /** Which of its rows was opened. */
  row: string;
}

/** By the path of the list. In memory alone: after a reload the list begins at its top. */
const left = new Map<string, Left>();

export const saveListPosition = (path: string, list: Left) => void left.set(path, list);

/** How a list was left for one of its records, so that the way back leads there. */
export const readListPosition = (path: string): Left | undefined => left.get(path);
