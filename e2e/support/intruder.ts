import type { BrowserContext } from "@playwright/test";
import type { Failure } from "#lib/failure.ts";
import { fillPathParameters, listEntryPoints } from "./entry-points.ts";
import { recordSecret } from "./secret-search.ts";
import {
  addMember,
  createPerson,
  createSellerOf,
  inDashboardDatabase,
  type Person,
} from "./person.ts";
import { duebookUrl } from "./seller.ts";
import { openSession } from "./session.ts";

export interface IntruderRequest {
  /** The URL of another installation. */
  url?: string;
  cookie?: string | undefined;
  headers?: Record<string, string | undefined>;
  /** Sees the answer of an action before it is read. */
  onAnswer?: (answer: Response) => void;
}

/** The browser's cookies as one header. */
export async function cookiesOf(context: BrowserContext): Promise<string> {
  const cookies = await context.cookies(duebookUrl());
  recordSecret(...cookies.map(({ value }) => value));
  return cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
}

/** @returns the person's cookies after a sign-in, as one header */
export async function signInForCookies(person: Person): Promise<string> {
  const cookies = await openSession(person);
  recordSecret(...cookies.map((pair) => pair.slice(pair.indexOf("=") + 1)));
  return cookies.join("; ");
}

/** A request that follows no redirects. */
export function sendRequest(
  path: string,
  { url = duebookUrl(), cookie, headers = {} }: IntruderRequest = {},
  init: RequestInit = {},
) {
  const given = Object.entries({ cookie, ...headers }).filter(
    ([, value]) => value !== undefined,
  );
  return fetch(`${url}${path}`, {
    ...init,
    redirect: "manual",
    headers: Object.fromEntries(given) as Record<string, string>,
  });
}

type ActionAnswer = { ok: true; value: unknown } | { ok: false; failure: Failure };

/**
 * Calls a server action without a page.
 * @returns its result, or the status if there was none
 */
export async function callAction(
  path: string,
  actionId: string,
  arguments_: unknown[],
  { url = duebookUrl(), cookie, headers = {}, onAnswer }: IntruderRequest = {},
): Promise<ActionAnswer | number> {
  const { origin } = new URL(url);
  const response = await sendRequest(
    path,
    {
      url,
      cookie,
      headers: {
        origin,
        "next-action": actionId,
        accept: "text/x-component",
        "content-type": "text/plain;charset=UTF-8",
        ...headers,
      },
    },
    { method: "POST", body: JSON.stringify(arguments_) },
  );
  onAnswer?.(response);
  const line = /^1:(\{.*\})$/m.exec(await response.text())?.[1];
  return line === undefined ? response.status : (JSON.parse(line) as ActionAnswer);
}

/** Calls a server action by the name of its export. */
export async function callActionByName(
  name: string,
  seller: string,
  arguments_: unknown[],
  request: IntruderRequest = {},
): Promise<ActionAnswer | number> {
  const entryPoint = listEntryPoints().find((one) => one.name.endsWith(` ${name}`));
  if (!entryPoint?.actionId) throw new Error(`the build has no action ${name}`);
  const path = fillPathParameters(entryPoint.path, {
    seller,
    mode: "test",
    id: "none",
    token: "none",
  });
  return callAction(path, entryPoint.actionId, arguments_, request);
}

/** The result of an action: "ok", the kind of failure, or the status. */
export const actionOutcomeOf = (answer: ActionAnswer | number): string => {
  if (typeof answer === "number") return `status ${answer}`;
  return answer.ok ? "ok" : answer.failure.kind;
};

export interface MemberWithCookie extends Person {
  cookie: string;
}

export async function createMember(seller: string, role: string): Promise<MemberWithCookie> {
  const person = await createPerson(`The ${role}`);
  await addMember(person, seller, role);
  return { ...person, cookie: await signInForCookies(person) };
}

export async function createOwner(name: string) {
  const person = await createPerson(name);
  const seller = await createSellerOf(person, `${name}'s`);
  return { ...person, seller, cookie: await signInForCookies(person) };
}

/** A harmless write of an admin, which shows whether the caller is admitted. */
export const tryInvitation = (
  seller: string,
  request: IntruderRequest,
  scope = { seller, mode: "test" },
) =>
  callActionByName(
    "inviteMemberAction",
    seller,
    [scope, { role: "viewer", for_whom: "", is_mailed: false }],
    request,
  );

/** The seller's audit log, oldest first. */
export const readAuditLogOf = (seller: string) =>
  inDashboardDatabase(
    `select a.action, a.result, a.user_name, a.address, a.mode from audit_log a
       join seller s on s.id = a.seller_id where s.code = $1 order by a.id`,
    [seller],
  );

/** The answer's body; empty for a stream, which has no end. */
export async function bodyTextOf(response: Response): Promise<string> {
  if (!response.headers.get("content-type")?.startsWith("text/event-stream"))
    return response.text();
  await response.body?.cancel();
  return "";
}
