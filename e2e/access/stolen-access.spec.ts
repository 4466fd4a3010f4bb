import {
  callActionByName,
  createMember,
  createOwner,
  tryInvitation,
  sendRequest,
  actionOutcomeOf,
  readAuditLogOf,
  signInForCookies,
  type IntruderRequest,
} from "../support/intruder.ts";
import { recordSecret } from "../support/secret-search.ts";
import { createPerson, inDashboardDatabase, type Person } from "../support/person.ts";
import { expect, test } from "../support/seller.ts";
import { postSignIn } from "../support/session.ts";

/** @returns the secret of the invitation's link */
async function invitationBy({ seller, cookie }: { seller: string; cookie: string }) {
  const answer = await tryInvitation(seller, { cookie });
  if (typeof answer === "number" || !answer.ok) throw new Error(actionOutcomeOf(answer));
  const { link } = answer.value as { link: string };
  const token = link.split("/").at(-1) ?? "";
  recordSecret(token);
  return token;
}

const accept = (token: string, cookie: string) =>
  callActionByName("acceptInvitationAction", "", [{ token }], { cookie });

test("a removed or demoted member loses access at once", async () => {
  const owner = await createOwner("Yesterday");
  const { seller } = owner;
  const lowered = await createMember(seller, "admin");
  const removed = await createMember(seller, "admin");
  for (const { cookie } of [lowered, removed])
    expect(actionOutcomeOf(await tryInvitation(seller, { cookie }))).toBe("ok");

  const changeMembership = (statement: string, { email }: Person) =>
    inDashboardDatabase(
      `${statement} where user_id = (select id from app_user where email = $1)`,
      [email],
    );
  // Changes the role directly, because the action would also end the sessions.
  await changeMembership("update membership set role = 'viewer'", lowered);
  await changeMembership("delete from membership", removed);
  expect(actionOutcomeOf(await tryInvitation(seller, lowered))).toBe("forbidden");
  expect(actionOutcomeOf(await tryInvitation(seller, removed))).toBe("not_found");
  expect((await sendRequest(`/${seller}/test/settings/team`, removed)).status).toBe(404);

  const record = await readAuditLogOf(seller);
  expect(record.map(({ result }) => result)).toEqual(["done", "done", "refused"]);
  expect(record.at(-1)).toMatchObject({
    user_name: "The admin",
    address: "127.0.0.1",
    mode: null,
  });
});

test("a used, withdrawn or expired invitation admits nobody", async () => {
  const owner = await createOwner("Host");
  const guest = { cookie: await signInForCookies(await createPerson("Guest")) };
  const late = { cookie: await signInForCookies(await createPerson("Late")) };
  const isInside = async ({ cookie }: IntruderRequest) =>
    (await sendRequest(`/${owner.seller}/test/subscriptions`, { cookie })).status === 200;

  const used = await invitationBy(owner);
  expect(actionOutcomeOf(await accept(used, guest.cookie))).toBe("ok");
  expect(await isInside(guest)).toBe(true);

  const expired = await invitationBy(owner);
  const revoked = await invitationBy(owner);
  const ofSeller = "where seller_id = (select id from seller where code = $1)";
  const [newest] = await inDashboardDatabase(
    `select id from invitation ${ofSeller} order by created_at desc limit 1`,
    [owner.seller],
  );
  const scope = { seller: owner.seller, mode: "test" };
  expect(
    actionOutcomeOf(
      await callActionByName("revokeInvitationAction", owner.seller, [scope, newest], owner),
    ),
  ).toBe("ok");
  await inDashboardDatabase(
    `update invitation set expires_at = now() - interval '1 second'
     ${ofSeller} and accepted_at is null and revoked_at is null`,
    [owner.seller],
  );
  for (const token of [used, expired, revoked, "made-up", used.slice(1), `${used}A`]) {
    await accept(token, late.cookie);
    expect(await isInside(late), token).toBe(false);
  }
  const joins = (await readAuditLogOf(owner.seller)).filter(
    ({ action }) => action === "team.join",
  );
  expect(joins.map(({ result }) => result)).toEqual(["done", "refused", "refused", "refused"]);
});

test("a stolen session cannot transfer ownership without the password", async () => {
  const owner = await createOwner("Crown");
  const { seller, password } = owner;
  const admin = await createMember(seller, "admin");
  const [member] = await inDashboardDatabase(
    "select id as user_id from app_user where email = $1",
    [admin.email],
  );
  const crown = async (by: IntruderRequest, given: object = {}) =>
    actionOutcomeOf(
      await callActionByName(
        "changeRoleAction",
        seller,
        [
          { seller, mode: "test" },
          { ...member, role: "owner", ...given },
        ],
        by,
      ),
    );
  expect(await crown(admin, { current_password: admin.password })).toBe("forbidden");
  expect(await crown(owner)).toBe("validation");
  expect(await crown(owner, { current_password: "not the password" })).toBe("validation");
  expect(await crown(owner, { current_password: password })).toBe("ok");
});

test("a signed-out, truncated, altered or forged session cookie gives no access", async () => {
  const owner = await createOwner("Cookie");
  const page = `/${owner.seller}/test/settings/team`;
  const pair = owner.cookie.split("; ").find((one) => /session=/.test(one)) ?? "";
  const name = pair.slice(0, pair.indexOf("="));
  const value = pair.slice(name.length + 1);
  const open = async (cookie: string) => (await sendRequest(page, { cookie })).status;
  expect(await open(pair)).toBe(200);

  const base64 = (text: string) => Buffer.from(text).toString("base64url");
  const [header = "", , iv = "", text = "", tag = ""] = value.split(".");
  const flipped = (part: string) => (part.startsWith("A") ? "B" : "A") + part.slice(1);
  const claims = JSON.stringify({ sid: "guess", email: owner.email, sub: owner.email });
  const forged = {
    empty: "",
    cut: value.slice(0, -1),
    "half of it": value.slice(0, value.length / 2),
    "a bit of the tag": [header, "", iv, text, flipped(tag)].join("."),
    "a bit of the text": [header, "", iv, flipped(text), tag].join("."),
    "a bit of the nonce": [header, "", flipped(iv), text, tag].join("."),
    "a short tag": [header, "", iv, text, tag.slice(0, 6)].join("."),
    "alg none, signed": `${base64('{"alg":"none","typ":"JWT"}')}.${base64(claims)}.`,
    "alg none, encrypted": [
      base64('{"alg":"none","enc":"none"}'),
      "",
      iv,
      base64(claims),
      tag,
    ].join("."),
    "another header": [base64('{"alg":"dir","enc":"A128CBC-HS256"}'), "", iv, text, tag].join(
      ".",
    ),
    "a path": "../../etc/passwd",
    "not a token": "%00%ff[]{}",
  };
  for (const [what, forgery] of Object.entries(forged))
    expect([what, await open(`${name}=${forgery}`)]).toEqual([what, 307]);
  expect(
    actionOutcomeOf(await tryInvitation(owner.seller, { cookie: `${name}=${forged.cut}` })),
  ).toBe("signed_out");
  expect(await open(`${name}=${"x".repeat(40_000)}`)).toBe(431);

  expect(
    actionOutcomeOf(await callActionByName("signOutAction", owner.seller, [], owner)),
  ).toBe("ok");
  expect(await open(pair)).toBe(307);
  expect(actionOutcomeOf(await tryInvitation(owner.seller, owner))).toBe("signed_out");
});

const guess = async (email: string, password: string, cookie?: string) =>
  (await postSignIn(email, password, cookie)).location;

test("password guessing is throttled, and the account's owner can still sign in from a known browser", async () => {
  const owner = await createOwner("Guessed");
  const device = owner.cookie
    .split("; ")
    .filter((one) => one.includes("device="))
    .join("; ");
  expect(await guess(owner.email, "a wrong guess")).toContain("error=CredentialsSignin");
  // Each wait is twice as long as the one before, so even a slow machine tries the right password during a
  // long wait.
  const secondsToWait = async () =>
    Number(/error=Wait(\d+)/.exec(await guess(owner.email, "a wrong guess"))?.[1]);
  await expect
    .poll(secondsToWait, { intervals: [250], timeout: 60_000 })
    .toBeGreaterThanOrEqual(6);
  // From the attacker's address even the correct password has to wait.
  expect(await guess(owner.email, owner.password)).toMatch(/error=Wait\d/);
  expect(await guess(owner.email, owner.password, device)).not.toContain("error=");
});

test("a password change ends every other session, including one with a copied cookie", async () => {
  const owner = await createOwner("Changed");
  const copy = await signInForCookies(owner);
  const page = `/${owner.seller}/test/settings/team`;
  const password = `another ${owner.password}`;
  recordSecret(password);
  const input = { current_password: owner.password, password };
  const forged = await callActionByName("changePasswordAction", owner.seller, [input], {
    cookie: owner.cookie,
    headers: { origin: "https://evil.example" },
  });
  expect(actionOutcomeOf(forged)).toMatch(/^(forbidden|status 403)$/);
  expect(
    actionOutcomeOf(
      await callActionByName("changePasswordAction", owner.seller, [input], owner),
    ),
  ).toBe("ok");
  expect((await sendRequest(page, { cookie: owner.cookie })).status).toBe(200);
  expect((await sendRequest(page, { cookie: copy })).status).toBe(307);
  expect(actionOutcomeOf(await tryInvitation(owner.seller, { cookie: copy }))).toBe(
    "signed_out",
  );
});
