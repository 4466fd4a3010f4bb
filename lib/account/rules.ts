import type { Translate } from "#lib/i18n/message.ts";
import type { readAccount } from "./store.ts";

export type Account = Awaited<ReturnType<typeof readAccount>>;

// The order matters: Edge and Opera also name Chrome, and Chrome also names Safari.
const BROWSERS = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  // oxlint-disable-next-line duebook/words -- its name in every language
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
] as const;

const SYSTEMS = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"],
] as const;

/** Describes a browser by its User-Agent header, such as "Chrome on Windows". */
export function describeDevice(t: Translate<"account">, userAgent: string | null): string {
  const nameIn = (names: readonly (readonly [RegExp, string])[]) =>
    names.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)];
  if (browser && system) return t("device.both", { browser, system });
  return browser ?? system ?? t("device.unknown");
}
