import { isTemporaryFailure, type Failure } from "#lib/failure.ts";

/** Why an account could not be opened; also a word in a URL. */
export const OPENING_PROBLEMS = ["silent", "refused", "failed"] as const;
export type OpeningProblem = (typeof OPENING_PROBLEMS)[number];

export function openingProblemOf(failure: Failure): OpeningProblem {
  if (isTemporaryFailure(failure)) return "silent";
  const isRefused = failure.kind === "unauthorized" || failure.kind === "not_found";
  return isRefused ? "refused" : "failed";
}
