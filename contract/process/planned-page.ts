export const PLANNED_PAGE_SIZE = 50;

/** The cursor of a page of a day's reminders: the section and the row before the page. */
export interface PlannedPlace {
  /** A step's number; 0 for reminders that a channel already has. */
  section: number;
  moment: Date;
  id: string;
}

/** A section's rows on a page, and the count of all its rows. */
export interface PlannedPart<Row> {
  count: number;
  held: number;
  /** One row more than the page takes, if there are more. */
  rows: (Row & Pick<PlannedPlace, "moment" | "id">)[];
}

interface PlannedSection<Row> {
  section: number;
  /** @param limit 0 to read only the counts */
  read: (
    after: Pick<PlannedPlace, "moment" | "id"> | null,
    limit: number,
  ) => Promise<PlannedPart<Row>>;
}

const PLACE = /^(\d{1,15})_(-?\d{1,13})_(\P{Cc}{1,200})$/u;

/** @returns null for a text that is no cursor */
export function plannedPlace(after: string | null | undefined): PlannedPlace | null {
  const [, section, moment, id] = PLACE.exec(after ?? "") ?? [];
  return id === undefined
    ? null
    : { section: Number(section), moment: new Date(Number(moment)), id };
}

const textOf = ({ section, moment, id }: PlannedPlace) =>
  `${section}_${moment.getTime()}_${id}`;

/** One page of sections in order, with the counts of all of them. */
export async function readPlannedPage<Row>(
  sections: PlannedSection<Row>[],
  { after, size }: { after: PlannedPlace | null; size: number },
): Promise<{ count: number; held: number; next_after: string | null; results: Row[] }> {
  // If all rows of the cursor's step were handed over meanwhile, the page begins with the other
  // steps.
  const known = sections.findIndex(({ section }) => section === after?.section);
  const begin = after === null ? 0 : known === -1 ? 1 : known;
  const found: { place: PlannedPlace; row: Row }[] = [];
  let [count, held] = [0, 0];
  for (const [index, { section, read }] of sections.entries()) {
    const limit = index < begin ? 0 : size + 1 - found.length;
    const part = await read(index === known ? after : null, limit);
    count += part.count;
    held += part.held;
    for (const row of part.rows)
      found.push({ place: { section, moment: row.moment, id: row.id }, row });
  }
  const last = found.length > size ? found[size - 1] : undefined;
  return {
    count,
    held,
    next_after: last ? textOf(last.place) : null,
    results: found.slice(0, size).map(({ row }) => row),
  };
}
