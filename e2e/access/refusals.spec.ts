import { randomUUID } from "node:crypto";
import { can, ROLES, type Role } from "#lib/auth/permissions.ts";
import {
  fillPathParameters,
  listEntryPoints,
  type EntryPoint,
} from "../support/entry-points.ts";
import {
  callAction,
  createOwner,
  sendRequest,
  actionOutcomeOf,
  signInForCookies,
} from "../support/intruder.ts";
import {
  addMember,
  createPerson,
  createSellerOf,
  endSessionsOf,
  inDashboardDatabase,
} from "../support/person.ts";
import { duebookUrl, expect, test } from "../support/seller.ts";

/** Entry points that are open on purpose, each with the reason. Add new ones by hand. */
const OPEN: Record<string, string> = {
  "app/page.tsx": "leads callers to their own seller, or to the sign-in page",
  "app/go/route.ts": "leads callers to a path of their own seller, or to the sign-in page",
  "app/sign-in/page.tsx": "nobody is signed in there yet",
  "app/sign-up/page.tsx": "nobody is signed in there yet",
  "app/forgot-password/page.tsx": "nobody is signed in there yet",
  "app/reset-password/[token]/page.tsx": "the secret in the link gives access",
  "app/invitation/[token]/page.tsx": "the secret in the link gives access",
  "app/returned/[token]/page.tsx": "buyers return to it, and it names no buyer",
  "app/api/auth/[...nextauth]/route.ts":
    "next-auth's own route, with its token against forgery",
  "app/api/received/[token]/route.ts": "the secret in the URL and the signature give access",
  "app/unsubscribe/[token]/page.tsx": "a signed link gives access",
  "app/api/unsubscribe/[token]/route.ts":
    "a signed link gives access; it switches one kind of mail off",
  "app/api/words/route.ts": "has only the interface's texts",
  "app/healthz/route.ts": "says only that the process runs",
  "app/readyz/route.ts": "says only whether the database answers",
  "lib/auth/actions.ts signOutAction": "ends the caller's own session",
};

interface Caller {
  name: string;
  /** The role, or none; `unready` lacks the second factor that the seller requires. */
  role: Role | "nobody" | "stranger" | "unready";
  cookie: string | undefined;
  mode: string;
  /** The code of the seller to try, if not the one that the other callers share. */
  seller?: string;
}

/** Invalid input for every action, so that a caller who passes the guard changes nothing. */
const SENSELESS = [[["probe"]]];

type Outcome = "let in" | "signed_out" | "forbidden" | "not_found" | "second_factor";

/** The expected outcome by the permission table. */
function expected({ kind, guard, permission }: EntryPoint, { role, mode }: Caller): Outcome {
  if (guard === "public" || guard === "none") return "let in";
  if (role === "nobody") return "signed_out";
  if (guard === "person") return "let in";
  // This test has no operators.
  if (guard === "operator") return "not_found";
  if (role === "unready") return permission === "account:manage" ? "let in" : "second_factor";
  if (role === "stranger" || mode !== "test") return "not_found";
  if (permission !== null && can(role, permission)) return "let in";
  // To a caller without the permission, a page answers as not found.
  return kind === "page" ? "not_found" : "forbidden";
}

test("every page, route and action admits exactly the roles that the permission table names", async () => {
  const entryPoints = listEntryPoints();
  const unguarded = entryPoints.filter(({ guard }) => guard === "none").map(({ name }) => name);
  expect(unguarded.filter((name) => !(name in OPEN))).toEqual([]);

  const { seller, callers } = await gatherCallers();
  const run = await createRunOf(seller);
  const wrong: string[] = [];
  const rows: string[] = [];
  for (const entryPoint of entryPoints.filter(({ guard }) => guard !== "none")) {
    const outcomes = await Promise.all(
      callers.map((caller) => tryEntryPoint(entryPoint, caller, { seller, run })),
    );
    for (const [at, caller] of callers.entries()) {
      const should = expected(entryPoint, caller);
      if (outcomes[at] !== should)
        wrong.push(
          `${entryPoint.name}: ${caller.name} got '${outcomes[at]}', should be '${should}'`,
        );
    }
    const asks = entryPoint.permission ?? entryPoint.guard;
    rows.push([entryPoint.name, asks, ...outcomes.map(shorten)].join(" | "));
  }
  const heading = ["entry point", "asks for", ...callers.map(({ name }) => name)].join(" | ");
  console.log([heading, ...rows].join("\n"));
  expect(wrong).toEqual([]);
  // Each kind must occur, because an entry point that is not found would not be tested.
  for (const kind of ["page", "route", "action"] as const)
    expect(entryPoints.filter((entryPoint) => entryPoint.kind === kind).length).toBeGreaterThan(
      3,
    );
});

const shorten = (outcome: string) =>
  ({
    "let in": "in",
    signed_out: "out",
    forbidden: "no",
    not_found: "404",
    second_factor: "2nd",
  })[outcome] ?? outcome;

/** A member of every role, and callers whom a guard must keep out, each for another reason. */
async function gatherCallers() {
  const owner = await createPerson("Owner of the refusals");
  const seller = await createSellerOf(owner, "Refusals");
  const callers: Caller[] = [
    { name: "nobody", role: "nobody", cookie: undefined, mode: "test" },
  ];
  for (const role of ROLES) {
    const person = role === "owner" ? owner : await createPerson(`The ${role}`);
    if (role !== "owner") await addMember(person, seller, role);
    const cookie = await signInForCookies(person);
    callers.push({ name: role, role, cookie, mode: "test" });
    if (role === "owner")
      callers.push({ name: "owner, made-up mode", role, cookie, mode: "moon" });
  }
  const stranger = await createPerson("Stranger");
  await createSellerOf(stranger, "Strangers");
  const cookie = await signInForCookies(stranger);
  callers.push({ name: "other seller's owner", role: "stranger", cookie, mode: "test" });

  const gone = await createPerson("Gone");
  await addMember(gone, seller, "admin");
  const old = await signInForCookies(gone);
  await endSessionsOf(gone);
  callers.push({ name: "revoked session", role: "nobody", cookie: old, mode: "test" });

  const unready = await createPerson("Without a second factor");
  const demanding = await createSellerOf(unready, "Demanding");
  await inDashboardDatabase("update seller set demands_second_factor = true where code = $1", [
    demanding,
  ]);
  callers.push({
    name: "owner without the demanded second factor",
    role: "unready",
    cookie: await signInForCookies(unready),
    mode: "test",
    seller: demanding,
  });
  return { seller, callers };
}

/** An empty bulk change and an empty import with one id, so that permitted callers find them. */
async function createRunOf(seller: string): Promise<string> {
  const [row] = await inDashboardDatabase(
    `with change as (
       insert into bulk_run (seller_id, mode, operation)
       select id, 'test', 'cancel' from seller where code = $1 returning *)
     insert into import_run (id, seller_id, mode, columns)
     select id, seller_id, mode, '[]' from change returning id`,
    [seller],
  );
  return String(row?.["id"]);
}

interface Ids {
  seller: string;
  run: string;
}

/** An id for the path; an existing one where missing objects are refused too. */
function idFor({ path }: EntryPoint, run: string): string {
  // A customer's id is a whole number; any other id is refused early.
  if (path.includes("/customers/")) return "1";
  return /\/(bulk|import)\//.test(path) ? run : randomUUID();
}

async function tryEntryPoint(
  entryPoint: EntryPoint,
  { cookie, mode, seller: own }: Caller,
  { seller: common, run }: Ids,
): Promise<string> {
  const seller = own ?? common;
  const id = idFor(entryPoint, run);
  const path = fillPathParameters(entryPoint.path, {
    seller,
    mode,
    id,
    token: "no-such-token",
  });
  if (entryPoint.kind === "page")
    return tryPage(path, cookie, `/${seller}/${mode}/settings/account`);
  if (entryPoint.kind === "route") return tryRoute(path, cookie, entryPoint.method);
  const given = entryPoint.guard === "seller" ? [{ seller, mode }, SENSELESS] : [SENSELESS];
  const outcome = actionOutcomeOf(
    await callAction(path, entryPoint.actionId ?? "", given, { cookie }),
  );
  return outcome === "validation" ? "let in" : outcome;
}

async function tryPage(
  path: string,
  cookie: string | undefined,
  account: string,
): Promise<string> {
  const response = await sendRequest(path, { cookie });
  const text = await response.text();
  const location = response.headers.get("location") ?? "";
  if (location.startsWith("/sign-in?callbackUrl=")) return "signed_out";
  const isLed = location === account || text.includes(`NEXT_REDIRECT;replace;${account}`);
  // The settings page redirects every caller.
  if (isLed && `${path}/account` !== account) return "second_factor";
  // A streaming page sends its status before the refusal.
  if (response.status === 404 || text.includes("NEXT_HTTP_ERROR_FALLBACK;404"))
    return "not_found";
  return response.status < 400 ? "let in" : `status ${response.status}`;
}

async function tryRoute(
  path: string,
  cookie: string | undefined,
  method: EntryPoint["method"],
): Promise<string> {
  const headers = { origin: duebookUrl() };
  const response = await sendRequest(path, { cookie, headers }, { method });
  if (response.status === 403 && (await response.clone().text()).includes('"second_factor"'))
    return "second_factor";
  const refusals: Record<number, Outcome> = {
    401: "signed_out",
    403: "forbidden",
    404: "not_found",
  };
  await response.body?.cancel();
  return refusals[response.status] ?? "let in";
}

test("no server action runs without this site's origin header", async () => {
  const owner = await createOwner("No origin");
  const values = {
    seller: owner.seller,
    mode: "test",
    id: randomUUID(),
    token: "no-such-token",
  };
  const outcomes: [string, string][] = [];
  const actions = listEntryPoints().filter(({ kind }) => kind === "action");
  for (const { name, guard, path, actionId } of actions) {
    const given = guard === "seller" ? [values, SENSELESS] : [SENSELESS];
    const request = { cookie: owner.cookie, headers: { origin: undefined } };
    const answer = await callAction(
      fillPathParameters(path, values),
      actionId ?? "",
      given,
      request,
    );
    outcomes.push([name, actionOutcomeOf(answer)]);
  }
  expect(outcomes).toEqual(actions.map(({ name }) => [name, "forbidden"]));
});
