import { DuebookError } from "./error.ts";

/** A page of a list, as the API answers. */
export interface Page<Row> {
  next: string | null;
  results: Row[];
}

/**
 * A list that is read page by page while it is walked through: `for await (const row of list)`.
 * Nothing is requested before the loop begins.
 */
export class Pages<Row, Found extends Page<Row> = Page<Row>> implements AsyncIterable<Row> {
  readonly #read: (query: Record<string, string> | null) => Promise<Found>;

  /** @param read requests a page; null is the first one */
  constructor(read: (query: Record<string, string> | null) => Promise<Found>) {
    this.#read = read;
  }

  /** The first page alone, with its counts. */
  first(): Promise<Found> {
    return this.#read(null);
  }

  /** The pages, one after the other. */
  async *pages(): AsyncGenerator<Found, void, undefined> {
    const read = new Set<string>();
    let page = await this.first();
    yield page;
    while (page.next !== null) {
      // Only the link's query is used, so that the key is sent to no other host.
      const search = page.next.slice(page.next.indexOf("?") + 1);
      if (read.has(search))
        throw new DuebookError("unreadable", "The list has the same page twice.");
      read.add(search);
      page = await this.#read(Object.fromEntries(new URLSearchParams(search)));
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    for await (const page of this.pages()) yield* page.results;
  }
}
