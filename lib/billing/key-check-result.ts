import type { Translate } from "#lib/i18n/message.ts";
import { retryWaitValues, type FailureText } from "#lib/failure.ts";

export type NoAnswerReason = "timeout" | "unknown_host" | "refused" | "tls" | "broken";

/** The result of trying an API key at the service. */
export type KeyCheck =
  | { kind: "good" }
  | { kind: "unverified" }
  /** The key is good, but lacks the scope to read. */
  | { kind: "no_reading" }
  | { kind: "refused" }
  | { kind: "other_mode" }
  | { kind: "no_answer"; why: NoAnswerReason }
  | { kind: "troubled" }
  /** Seconds; null if the service names none. */
  | { kind: "rate_limited"; retry_after: number | null }
  | { kind: "not_this_api" };

/** @param mode the mode that the key was given for */
export function describeKeyCheck(
  t: Translate<"connection">,
  finding: KeyCheck,
  mode: "test" | "live",
): FailureText {
  if (finding.kind === "no_answer")
    return {
      title: t("finding.no_answer.title"),
      advice: t(`finding.no_answer.${finding.why}`),
    };
  if (finding.kind === "rate_limited")
    return {
      title: t("finding.rate_limited.title"),
      advice: t("finding.rate_limited.advice", retryWaitValues(finding)),
    };
  return {
    title: t(`finding.${finding.kind}.title`, { mode }),
    advice: t(`finding.${finding.kind}.advice`, { mode }),
  };
}
