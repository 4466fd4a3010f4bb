import { expect } from "vitest";
import { ChangePage, type RecordChange } from "#contract/changes.ts";
import type { SellerApi } from "./seller-api.ts";

export const CHANGES_URL = "/account/v1/changes/";

/** Follows a seller's feed from now on. */
export class Follower {
  readonly #api: SellerApi;
  cursor: string;

  private constructor(api: SellerApi, cursor: string) {
    this.#api = api;
    this.cursor = cursor;
  }

  static async begin(api: SellerApi): Promise<Follower> {
    const answer = await api.call({ url: CHANGES_URL });
    const { cursor, ...rest } = ChangePage.parse(answer.json());
    expect(rest).toEqual({ has_more: false, results: [] });
    return new Follower(api, cursor);
  }

  ask(query = "") {
    return this.#api.call({ url: `${CHANGES_URL}?cursor=${this.cursor}${query}` });
  }

  async page(query = ""): Promise<ChangePage> {
    const answer = await this.ask(query);
    expect(answer.statusCode, answer.body).toBe(200);
    const page = ChangePage.parse(answer.json());
    this.cursor = page.cursor;
    return page;
  }

  /** All that is new, page by page. */
  async news(query = ""): Promise<RecordChange[]> {
    const page = await this.page(query);
    return page.has_more ? [...page.results, ...(await this.news(query))] : page.results;
  }
}

export const namedChanges = (changes: RecordChange[]) =>
  changes.map(({ kind, change, id }) => `${kind} ${change} ${id}`);
