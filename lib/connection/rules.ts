import type { Mode } from "#lib/scope.ts";
import { message, type Translate } from "#lib/i18n/message.ts";
import type { Failure, FailureText } from "#lib/failure.ts";

/** The state of the connection in one mode: `good`, or why the dashboard is closed. */
export type ConnectionState =
  "good" | "unverified" | "refused" | "none" | "undecryptable" | "mode_absent";

export type FaultyConnectionState = Exclude<ConnectionState, "good">;

/** Pages that work without the service, or before the account is verified. */
const ALWAYS_OPEN = /^(\/guide|\/settings(\/.*)?)?$/;
const OPEN_UNVERIFIED = /^\/products(\/.*)?$/;
/** The page that explains the sandbox, open even if this mode is not configured. */
const OPEN_ABSENT = /^\/sandbox$/;

/** @param path below the scope, with its slash; empty for the overview */
export function isPageClosed(state: ConnectionState, path: string): boolean {
  if (state === "good" || ALWAYS_OPEN.test(path)) return false;
  if (state === "mode_absent" && OPEN_ABSENT.test(path)) return false;
  return !(state === "unverified" && OPEN_UNVERIFIED.test(path));
}

/** The connection state that a failed call shows; null if the failure has another cause. */
export function connectionStateOfFailure({ kind }: Failure): FaultyConnectionState | null {
  if (kind === "unauthorized") return "refused";
  if (kind === "not_connected") return "none";
  return kind === "unverified" || kind === "mode_absent" ? kind : null;
}

const ADDRESSES: Record<Mode, string> = {
  live: "BILLING_API_URL",
  test: "BILLING_SANDBOX_API_URL",
};

/** The text in place of a closed page. */
export function describeState(
  t: Translate<"layout">,
  state: FaultyConnectionState,
  mode: Mode,
): FailureText {
  const values = { mode, setting: ADDRESSES[mode] };
  return { title: t(`gate.${state}.title`, values), advice: t(`gate.${state}.advice`, values) };
}

type KeyText = { apiKey: string; had_prefix: boolean } | { problem: string };

const LONGEST_KEY = 512;
const SHORTEST_KEY = 8;

/** Reads an API key from pasted text, without spaces and prefix. */
export function readKeyText(text: string): KeyText {
  const trimmed = text.trim();
  const apiKey = trimmed.replace(/^(authorization:\s*)?bearer\s+/i, "");
  if (apiKey === "") return { problem: message("connection.key.missing") };
  if (!/^[\x21-\x7e]+$/.test(apiKey)) return { problem: message("connection.key.malformed") };
  if (apiKey.length < SHORTEST_KEY) return { problem: message("connection.key.tooShort") };
  if (apiKey.length > LONGEST_KEY) return { problem: message("connection.key.tooLong") };
  return { apiKey, had_prefix: apiKey !== trimmed };
}

/**
 * The same page in the other mode. Records exist in one mode only, so a record's page leads to its
 * list.
 * @param path below the scope
 */
export function pathInOtherMode(path: string): string {
  const [, noun = "", ...rest] = path.split("/");
  const isPlace = noun === "settings" || rest[0] === "new";
  return isPlace || noun === "" ? path : `/${noun}`;
}
