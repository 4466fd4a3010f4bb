import type { Scope } from "#lib/scope.ts";

/** A seller's own, because one person can work for several; a test shop is another than the real one. */
const keyOf = ({ seller, mode }: Scope) => `duebook.return_url.${seller}.${mode}`;

/** The seller's address is the same nearly every time. Storage may be switched off. */
export function rememberReturnUrl(scope: Scope, url: string) {
  try {
    localStorage.setItem(keyOf(scope), url);
  } catch {
    return;
  }
}

export function recallReturnUrl(scope: Scope): string {
  try {
    return localStorage.getItem(keyOf(scope)) ?? "";
  } catch {
    return "";
  }
}
