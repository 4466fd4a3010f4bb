import { listEntryPoints } from "../support/entry-points.ts";
import { fuzzEntryPoints } from "#tools/trials/fuzz/run.ts";
import {
  callActionByName,
  callAction,
  createMember,
  createOwner,
  tryInvitation,
  sendRequest,
  actionOutcomeOf,
  readAuditLogOf,
  signInForCookies,
  type IntruderRequest,
} from "../support/intruder.ts";
import { openAccount } from "../support/own-seller.ts";
import { inDashboardDatabase } from "../support/person.ts";
import { DEMO_ACCOUNT, duebookUrl, expect, test } from "../support/seller.ts";

test("an action for another seller's code changes nothing, and leaves that seller's audit log empty", async () => {
  const victim = await createOwner("Victim");
  const thief = await createOwner("Thief");
  const scope = { seller: victim.seller, mode: "test" };
  const details = {
    name: "Stolen",
    time_zone: "UTC",
    currency: "NPR",
    amount_style: "code",
    return_url: "",
  };
  for (const path of [thief.seller, victim.seller]) {
    const update = await callActionByName("updateSellerAction", path, [scope, details], thief);
    expect(actionOutcomeOf(update)).toBe("not_found");
    expect(actionOutcomeOf(await tryInvitation(path, thief, scope))).toBe("not_found");
  }
  const [seller] = await inDashboardDatabase("select name from seller where code = $1", [
    victim.seller,
  ]);
  expect(seller).toEqual({ name: "Victim's" });
  expect(await readAuditLogOf(victim.seller)).toEqual([]);
});

test("a server action runs only for requests from the dashboard's own origin", async () => {
  const owner = await createOwner("Forgery");
  const evil = "https://evil.example";
  const inviteFrom = async (headers: IntruderRequest["headers"] = {}) =>
    actionOutcomeOf(await tryInvitation(owner.seller, { cookie: owner.cookie, headers }));
  expect(await inviteFrom()).toBe("ok");
  for (const headers of [
    { origin: evil },
    { origin: "null" },
    { origin: undefined },
    { origin: undefined, "sec-fetch-site": "cross-site" },
    { origin: undefined, "sec-fetch-site": "same-site" },
    { origin: evil, "x-forwarded-host": "evil.example" },
    { origin: evil, "x-forwarded-host": "evil.example", "sec-fetch-site": "same-origin" },
    { origin: evil, forwarded: "host=evil.example" },
    { origin: `${duebookUrl()}.evil.example` },
    { origin: `${duebookUrl()}0` },
  ])
    expect([headers, await inviteFrom(headers)]).toEqual([
      headers,
      expect.stringMatching(/^(forbidden|status 403)$/),
    ]);
  const done = (await readAuditLogOf(owner.seller)).filter(({ result }) => result === "done");
  expect(done).toHaveLength(1);
});

test("a server action refuses arguments that do not match its schema", async () => {
  const owner = await createOwner("Arguments");
  const { seller, cookie } = owner;
  const scope = { seller, mode: "test" };
  const body = '{"role":"viewer","for_whom":"","is_mailed":false}';
  const nested = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
  const scopeText = JSON.stringify(scope);
  const entryPoint = listEntryPoints().find(({ name }) => name.endsWith(" inviteMemberAction"));
  const path = `/${seller}/test/settings/team`;
  const post = (text: string) =>
    sendRequest(
      path,
      {
        cookie,
        headers: {
          origin: duebookUrl(),
          "next-action": entryPoint?.actionId ?? "",
          "content-type": "text/plain;charset=UTF-8",
        },
      },
      { method: "POST", body: text },
    ).then(async (response) => [response.status, await response.text()] as const);

  for (const text of [
    `[${scopeText},{"__proto__":{"is_mailed":false,"role":"viewer","for_whom":""}}]`,
    `[${scopeText},{"role":"owner","for_whom":"","is_mailed":false}]`,
    `[{"__proto__":${scopeText}},${body}]`,
    `[${scopeText},${nested}]`,
    `[${scopeText},"$1"]`,
    `[${scopeText},"$F1"]`,
    `[${scopeText},"$@0"]`,
    `["$0",${body}]`,
    "[]",
    "{}",
    "",
    "[",
    "null",
    `{"then":"$1:__proto__:then","0":${scopeText}}`,
  ]) {
    const [status, answer] = await post(text);
    expect([text.slice(0, 60), status === 200 && answer.includes('"ok":true')]).toEqual([
      text.slice(0, 60),
      false,
    ]);
  }
  const [tooLong] = await post(`[${scopeText},"${"x".repeat(1_300_000)}"]`);
  expect(tooLong).toBeGreaterThanOrEqual(400);
  expect((await readAuditLogOf(seller)).filter(({ result }) => result === "done")).toEqual([]);
  const { origin } = new URL(duebookUrl());
  expect(actionOutcomeOf(await tryInvitation(seller, { cookie, headers: { origin } }))).toBe(
    "ok",
  );
});

test("a server action called from any page needs its permission, and a read-only route refuses other HTTP methods", async () => {
  const owner = await createOwner("Elsewhere");
  const viewer = await createMember(owner.seller, "viewer");
  const entryPoint = listEntryPoints().find(({ name }) => name.endsWith(" inviteMemberAction"));
  const scope = { seller: owner.seller, mode: "test" };
  const given = [scope, { role: "viewer", for_whom: "", is_mailed: false }];
  for (const path of ["/sign-in", "/", `/${owner.seller}/test/subscriptions`, "/nothing"])
    for (const cookie of [undefined, viewer.cookie]) {
      const answer = await callAction(path, entryPoint?.actionId ?? "", given, { cookie });
      expect(actionOutcomeOf(answer)).not.toBe("ok");
    }
  const route = `/api/${owner.seller}/test/subscriptions`;
  for (const method of ["POST", "PUT", "PATCH", "DELETE"])
    expect((await sendRequest(route, owner, { method })).status).toBe(405);
  const override = { "x-http-method-override": "DELETE", "x-http-method": "DELETE" };
  const plain = await sendRequest(route, { ...owner, headers: override });
  expect(plain.status).toBe((await sendRequest(route, owner)).status);
  expect(await readAuditLogOf(owner.seller)).toEqual([]);
});

test("another seller's subscription gets the same answer as a subscription that does not exist", async () => {
  const thief = await createOwner("Collector");
  const name = `Collector ${thief.seller}`;
  const { key: api_key } = await openAccount(name, "--verified");
  const scope = { seller: thief.seller, mode: "test" };
  const connected = await callActionByName(
    "connectAction",
    thief.seller,
    [scope, { api_key }],
    thief,
  );
  expect(actionOutcomeOf(connected)).toBe("ok");

  const demo = await signInForCookies({ ...DEMO_ACCOUNT, name: "Demo" });
  const home = await sendRequest("/go?to=/subscriptions", { cookie: demo });
  const victim = (home.headers.get("location") ?? "").split("/")[1] ?? "";
  const read = (path: string, cookie: string) =>
    sendRequest(`/api/${path}`, { cookie }).then(async (response) => ({
      status: response.status,
      json: (await response.json()) as unknown,
    }));
  const list = await read(`${victim}/test/subscriptions`, demo);
  const { results } = list.json as { results: { subscription_id: string }[] };
  const known = results[0]?.subscription_id ?? "";
  expect((await read(`${victim}/test/subscriptions/${known}`, demo)).status).toBe(200);

  const made_up = crypto.randomUUID();
  const own = `${thief.seller}/test/subscriptions`;
  expect(await read(`${own}/${known}`, thief.cookie)).toEqual(
    await read(`${own}/${made_up}`, thief.cookie),
  );
  expect((await read(`${own}/${known}`, thief.cookie)).status).toBe(404);
  for (const id of [known, "%00"])
    expect((await read(`${own}/${id}/history`, thief.cookie)).json).toEqual({
      acts: [],
      changes: [],
    });
  expect((await read(`${victim}/test/subscriptions/${known}`, thief.cookie)).status).toBe(404);
  for (const id of ["..", "%2e%2e", "..%2fproducts", `${known}%2f..`, `${known}?x=`, "%00"])
    expect([
      id,
      (await read(`${own}/${id}`, thief.cookie).catch(() => null))?.status,
    ]).not.toEqual([id, 502]);
});

// `npm run trial fuzz` sends many more requests.
test("random requests to every entry point cause no error, and neither show nor change another seller's data", async () => {
  const { findings, sent, entryPoints } = await fuzzEntryPoints({
    requests: 1,
    seed: 7,
    width: 8,
  });
  expect(findings).toEqual([]);
  expect(entryPoints).toBe(listEntryPoints().length);
  expect(sent).toBe(entryPoints);
});
