import { VERIFICATION_STATES, type VerificationState } from "#contract/names.ts";

/** The path of the list in a state, or of one account. */
export function operatorPath({
  state,
  account,
}: {
  state?: VerificationState | "all";
  account?: number;
}): string {
  if (account !== undefined) return `/operator/${account}`;
  return state === undefined || state === "submitted"
    ? "/operator"
    : `/operator?state=${state}`;
}

export const documentPath = (account: number, id: string): string =>
  `/operator/${account}/document?${new URLSearchParams({ document: id })}`;

/** The state in the URL; the submitted accounts if it has none. */
export const readState = (text: unknown): VerificationState | "all" =>
  text === "all" ? "all" : (VERIFICATION_STATES.find((state) => state === text) ?? "submitted");

/** An account's number in a path; null for anything else. */
export const readAccountNumber = (text: string): number | null =>
  /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
