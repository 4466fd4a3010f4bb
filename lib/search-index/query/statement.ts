import "server-only";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { prefixesOf } from "#lib/text/search-text.ts";
import type { Bind, RowQuery } from "./find-rows.ts";
import type { SearchTerm, SimilarTerm } from "./search-terms.ts";
import { termPrefix } from "#lib/search-index/records/terms.ts";

/** For each term, the similar words that match too. */
type NearWords = readonly (readonly SimilarTerm[])[];

/** A statement whose rows are always of one seller and one mode. */
export class Statement {
  readonly values: unknown[] = [];
  readonly bind: Bind = (value) => `$${this.values.push(value)}`;
  readonly where: string;
  /**
   * Like `where`, but written so that PostgreSQL cannot use an index by seller, which would read all
   * rows of the seller. It uses the index of terms, which finds few rows, because each term begins
   * with its owner's prefix.
   */
  readonly whereOfTerms: string;
  private readonly prefix: string;

  constructor(
    owner: KeyOwner,
    { conditions = [], terms, noted = [] }: RowQuery,
    near?: NearWords,
  ) {
    this.prefix = termPrefix(owner);
    const [seller, mode] = [this.bind(owner.seller_id), this.bind(owner.mode)];
    const others = [
      ...conditions.map((condition) => condition(this.bind)),
      ...(terms.length === 0 ? [] : [this.orNoted(this.holdsAll(terms, near), noted)]),
    ];
    this.where = [`seller_id = ${seller}`, `mode = ${mode}`, ...others].join(" and ");
    this.whereOfTerms =
      terms.length === 0 || noted.length > 0
        ? this.where
        : [
            `seller_id is not distinct from ${seller}`,
            `mode is not distinct from ${mode}`,
            ...others,
          ].join(" and ");
  }

  private holdsAll(terms: readonly SearchTerm[], near: NearWords = []): string {
    const each = terms.map(({ heads, words = [] }, at) => {
      const nearly = near[at]?.map(({ word }) => word) ?? [];
      const any = [...heads.map(this.head), ...[...words, ...nearly].map(this.word)];
      // No known word matches, so there are no rows.
      return any.length === 0 ? this.word("") : `(${any.join(" | ")})`;
    });
    return this.holds(each.join(" & "));
  }

  private orNoted(found: string, keys: readonly string[]): string {
    return keys.length === 0 ? found : `(${found} or phone_key = any(${this.bind(keys)}))`;
  }

  private holds(asked: string): string {
    return `words @@ ${this.bind(asked)}::tsquery`;
  }

  /** Escapes characters that have a meaning in a tsquery. */
  private word = (word: string) => `'${(this.prefix + word).replace(/['\\]/g, "$&$&")}'`;
  private head = (head: string) => `${this.word(head)}:*`;

  /**
   * SQL of a term's distance: 0 for a prefix match, more for letters inside a word or a similar
   * sound.
   */
  distance({ letters, within = [] }: SearchTerm): string {
    const elsewhere =
      within.length === 0 ? "" : `when ${this.holds(within.map(this.word).join(" | "))} then 1`;
    const begins = prefixesOf(letters).map(this.head).join(" | ");
    return `case when ${this.holds(begins)} then 0 ${elsewhere} else 2 end`;
  }

  /** SQL of the sum of the terms' distances. */
  distances(terms: readonly SearchTerm[]): string {
    return terms.map((term) => this.distance(term)).join(" + ");
  }

  /** SQL of the similarity of the first word that matches; 1 if the row matches without them. */
  similarity(words: readonly SimilarTerm[]): string {
    const each = words.map(
      ({ word, similarity }) =>
        `when ${this.holds(this.word(word))} then ${Number(similarity)}`,
    );
    return each.length === 0 ? "1" : `case ${each.join(" ")} else 1 end`;
  }
}
