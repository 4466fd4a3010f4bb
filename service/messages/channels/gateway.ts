import { isSuccess, type GatewayAnswer } from "../../outgoing/gateway.ts";
import type { SendResult } from "./channel.ts";

const ABOUT_SETTINGS = new Set([401, 402, 403, 404, 405, 407]);
const NOT_TAKEN = new Set([408, 425, 429]);

/**
 * What an answer means that is not in the gateway's own form: only its status counts, and never as
 * accepted.
 */
export function resultByStatus(answer: GatewayAnswer): SendResult {
  if (answer.kind === "lost") return { state: "unknown", text: answer.text };
  if (answer.kind === "not_reached")
    return answer.isRefused
      ? {
          state: "failed",
          code: "address_refused",
          text: answer.text,
          about: "credentials",
        }
      : { state: "retry", code: "not_reached", text: answer.text, afterSeconds: null };
  const { status, retryAfter } = answer;
  const code = `http_${status}`;
  // A proxy can answer 503 for a request that it has passed on; only a 503 with a named wait is a
  // refusal.
  if (NOT_TAKEN.has(status) || (status === 503 && retryAfter !== null))
    return {
      state: "retry",
      code,
      text: `The gateway takes no more at present (${status}).`,
      afterSeconds: retryAfter,
    };
  if (status >= 300 && status < 400)
    return {
      state: "failed",
      code,
      text: `The gateway answered ${status}: redirects are not followed. Check its address.`,
      about: "credentials",
    };
  if (ABOUT_SETTINGS.has(status))
    return {
      state: "failed",
      code,
      text: `The gateway answered ${status}. Check its address and the credentials.`,
      about: "credentials",
    };
  if (status >= 400 && status < 500)
    return {
      state: "failed",
      code,
      text: `The gateway refused the message (${status}).`,
      about: "message",
    };
  return {
    state: "unknown",
    text: `The gateway answered ${status}, but not whether it took the message.`,
  };
}

/** What a check reports about an answer that does not prove the settings. */
export function problemOf(answer: GatewayAnswer): string {
  if (answer.kind === "answered" && isSuccess(answer))
    return `The gateway answered ${answer.status}, but not in its documented form.`;
  const result = resultByStatus(answer);
  return result.state === "accepted" ? "" : result.text;
}
