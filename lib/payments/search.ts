import { apiPath, scopePath, type Scope } from "#lib/scope.ts";
import { MOMENT_PLACE } from "#lib/format/moment-place.ts";
import { parameterReader, queryString, type Parameters } from "#lib/search-params.ts";

/** The shape of the list's address; null for what does not narrow it. */
export interface ProofSearch {
  /** A proof's number, a part of an id, or of a product's name: nothing about a buyer. */
  q: string | null;
  /** Days in the seller's zone, both included. */
  from: string | null;
  to: string | null;
  /** Where the page before ended. */
  before: string | null;
}

/** What cannot be read does not narrow. */
export function parseProofSearch(parameters: Parameters | FormData): ProofSearch {
  const { read, day } = parameterReader(parameters);
  return {
    q: read("q", /^[^\0]{1,100}$/),
    from: day("from"),
    to: day("to"),
    before: read("before", MOMENT_PLACE),
  };
}

/** Nothing narrows it but the place in it. */
export const isEveryProof = ({ q, from, to }: ProofSearch): boolean =>
  q === null && from === null && to === null;

export function proofsPath(scope: Scope, search: Partial<ProofSearch> = {}): string {
  return scopePath(scope, `/proofs${queryString({ ...search })}`);
}

/** How many came since the newest that is shown. */
export const newProofsPath = (scope: Scope, search: ProofSearch, newest: string): string =>
  apiPath(scope, `/proofs/new${queryString({ ...search, before: null, newest })}`);

/** What cannot be read is before all. */
export const parseNewest = (parameters: Parameters): string =>
  parameterReader(parameters).read("newest", /^\d{1,18}$/) ?? "0";

export const PROOF_FORMATS = ["csv", "xlsx"] as const;
export type ProofFormat = (typeof PROOF_FORMATS)[number];

/** All that the search leaves as a file, wherever the page stands in it. */
export function proofsFilePath(scope: Scope, search: ProofSearch, format: ProofFormat): string {
  return apiPath(scope, `/proofs/file${queryString({ ...search, before: null, format })}`);
}

export function parseProofFormat(parameters: URLSearchParams): ProofFormat {
  return PROOF_FORMATS.find((format) => format === parameters.get("format")) ?? "csv";
}
