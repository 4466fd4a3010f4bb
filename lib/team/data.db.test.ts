import { beforeEach, expect, test } from "vitest";
import {
  acceptInvitation,
  createInvitation,
  findInvitation,
  revokeInvitation,
} from "#lib/auth/sign-in/invitation.ts";
import type { Role } from "#lib/auth/permissions.ts";
import { createSession, findMembership, findSession } from "#lib/auth/sessions/session.ts";
import { failureOf } from "#lib/failure.ts";
import { inTransaction, singleRow } from "#lib/db/pool.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import {
  changeRole,
  demandSecondFactor,
  handOverOwnership,
  inviteMember,
  leaveTeam,
  listMembers,
  listPendingInvitations,
  removeMember,
} from "./data.ts";

const NOW = new Date("2026-11-20T10:00:00Z");
const inDays = (days: number) => new Date(NOW.getTime() + days * 86_400_000);

useDashboardDatabase();
let seller: { id: string; code: string };
let made = 0;

beforeEach(async () => {
  const { rows } = await pool.query<{ id: string; code: string }>(
    "insert into seller (name, time_zone) values ('फेवा सेवा', 'Asia/Kathmandu') returning id, code",
  );
  seller = singleRow(rows);
});

async function person(): Promise<string> {
  made += 1;
  const { rows } = await pool.query<{ id: string }>(
    "insert into app_user (email, name, password_hash) values ($1, $2, 'none') returning id",
    [`person${made}@example.com`, `सरस्वती ${made}`],
  );
  return singleRow(rows).id;
}

async function member(role: Role): Promise<string> {
  const user_id = await person();
  await pool.query(
    "insert into membership (user_id, seller_id, role, created_at) values ($1, $2, $3, $4)",
    [user_id, seller.id, role, NOW],
  );
  return user_id;
}

const roleOf = async (user_id: string) =>
  (await findMembership(pool, user_id, seller.code))?.role ?? null;

const owners = async () =>
  (await listMembers(pool, seller.id)).filter(({ role }) => role === "owner").length;

const kindOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: unknown) => failureOf(error).kind,
  );

const invite = async (by: string, role: "admin" | "support" = "support", now = NOW) =>
  (await createInvitation(pool, { seller_id: seller.id, by, role, for_whom: null }, now)).token;

const accept = (token: string, user_id: string, now = NOW) =>
  inTransaction(pool, (client) => acceptInvitation(client, { token, user_id }, now));

test("an invitation link works once, and its secret is not stored in the database", async () => {
  const token = await invite(await member("owner"));
  const [first, second] = [await person(), await person()];
  await expect(accept(token, first)).resolves.toMatchObject({ outcome: "joined" });
  await expect(roleOf(first)).resolves.toBe("support");
  await expect(accept(token, first)).resolves.toMatchObject({ outcome: "already_member" });
  await expect(accept(token, second)).resolves.toMatchObject({
    outcome: "refused",
    state: "used",
  });
  await expect(roleOf(second)).resolves.toBeNull();
  const { rows } = await pool.query<{ text: string }>(
    "select string_agg(i::text, ' ') as text from invitation i",
  );
  expect(singleRow(rows).text).not.toContain(token);
  expect(singleRow(rows).text).not.toContain(Buffer.from(token, "base64url").toString("hex"));
});

test("when twenty people open one invitation link at once, one of them joins", async () => {
  const token = await invite(await member("admin"));
  const people = await Promise.all(Array.from({ length: 20 }, person));
  const answers = await Promise.all(people.map((user_id) => accept(token, user_id)));
  expect(answers.filter((answer) => answer?.outcome === "joined")).toHaveLength(1);
  await expect(listMembers(pool, seller.id)).resolves.toHaveLength(2);
});

test("an invitation link expires after seven days or when revoked, and an invented link is rejected", async () => {
  const owner = await member("owner");
  const late = await invite(owner);
  await expect(accept(late, await person(), inDays(7))).resolves.toMatchObject({
    state: "expired",
    outcome: "refused",
  });
  await expect(listPendingInvitations(pool, seller.id, inDays(7))).resolves.toEqual([]);
  const withdrawn = await invite(owner);
  const id = (await findInvitation(pool, withdrawn, NOW))?.id ?? "";
  const stranger = { seller_id: await otherSeller(), id };
  await expect(revokeInvitation(pool, stranger, NOW)).resolves.toBe(false);
  await expect(revokeInvitation(pool, { seller_id: seller.id, id }, NOW)).resolves.toBe(true);
  await expect(revokeInvitation(pool, { seller_id: seller.id, id }, NOW)).resolves.toBe(false);
  await expect(accept(withdrawn, await person())).resolves.toMatchObject({ state: "revoked" });
  await expect(accept(late.slice(1), await person())).resolves.toBeNull();
  await expect(accept("", await person())).resolves.toBeNull();
});

async function otherSeller() {
  const { rows } = await pool.query<{ id: string }>(
    "insert into seller (name, time_zone) values ('Other', 'UTC') returning id",
  );
  return singleRow(rows).id;
}

test("an invitation is revoked when its inviter loses the permission, and stays revoked", async () => {
  const [owner, admin] = [await member("owner"), await member("admin")];
  const lowered = await invite(admin);
  await changeRole(pool, { ...by(owner), member: admin, role: "support" }, NOW);
  await expect(findInvitation(pool, lowered, NOW)).resolves.toMatchObject({ state: "revoked" });
  await changeRole(pool, { ...by(owner), member: admin, role: "admin" }, NOW);
  await expect(findInvitation(pool, lowered, NOW)).resolves.toMatchObject({ state: "revoked" });

  const removed = await invite(admin);
  await removeMember(pool, { ...by(owner), member: admin }, NOW);
  await expect(findInvitation(pool, removed, NOW)).resolves.toMatchObject({ state: "revoked" });
});

test("an invitation of a member who lost the permission is refused even if it was not revoked", async () => {
  const admin = await member("admin");
  const token = await invite(admin);
  await pool.query("update membership set role = 'support' where user_id = $1", [admin]);
  await expect(findInvitation(pool, token, NOW)).resolves.toMatchObject({ state: "revoked" });
  await pool.query("delete from app_user where id = $1", [admin]);
  await expect(accept(token, await person())).resolves.toMatchObject({ outcome: "refused" });
});

const by = (actor: string) => ({ seller_id: seller.id, actor });

test("support and non-members cannot invite, and an admin can invite 50 people a day", async () => {
  const [admin, support] = [await member("admin"), await member("support")];
  const wanted = { seller_id: seller.id, role: "viewer", for_whom: null } as const;
  const tryAs = (actor: string) => kindOf(inviteMember(pool, { ...wanted, by: actor }, NOW));
  await expect(tryAs(support)).resolves.toBe("forbidden");
  await expect(tryAs(await person())).resolves.toBe("forbidden");
  for (let at = 0; at < 50; at += 1) await expect(tryAs(admin)).resolves.toBe("done");
  await expect(tryAs(admin)).resolves.toBe("conflict");
});

test("changing a member's role and removing a member end that person's sessions", async () => {
  const [owner, support] = [await member("owner"), await member("support")];
  const session = () => createSession(pool, { user_id: support }, NOW);
  const found = async (secret: string) => (await findSession(pool, secret, NOW)) !== null;

  const first = await session();
  await changeRole(pool, { ...by(owner), member: support, role: "support" }, NOW);
  await expect(found(first)).resolves.toBe(true);
  await changeRole(pool, { ...by(owner), member: support, role: "viewer" }, NOW);
  await expect(found(first)).resolves.toBe(false);

  const second = await session();
  await removeMember(pool, { ...by(owner), member: support }, NOW);
  await expect(found(second)).resolves.toBe(false);
  await expect(roleOf(support)).resolves.toBeNull();
});

test("an admin cannot change an owner, and non-members can neither change members nor be changed", async () => {
  const [owner, admin] = [await member("owner"), await member("admin")];
  const change = { ...by(admin), member: owner };
  await expect(kindOf(changeRole(pool, { ...change, role: "viewer" }))).resolves.toBe(
    "forbidden",
  );
  await expect(kindOf(removeMember(pool, change))).resolves.toBe("forbidden");
  await expect(
    kindOf(changeRole(pool, { ...by(owner), member: await person(), role: "admin" })),
  ).resolves.toBe("conflict");
  await expect(
    kindOf(removeMember(pool, { ...by(await person()), member: admin })),
  ).resolves.toBe("forbidden");
});

test("an ownership transfer makes the old owner an admin and keeps only the old owner's current session", async () => {
  const [owner, viewer] = [await member("owner"), await member("viewer")];
  const token = await invite(owner);
  const kept = await createSession(pool, { user_id: owner }, NOW);
  const ended = [
    await createSession(pool, { user_id: owner }, NOW),
    await createSession(pool, { user_id: viewer }, NOW),
  ];
  const session = (await findSession(pool, kept, NOW))?.id ?? Buffer.alloc(32);
  await handOverOwnership(pool, { ...by(owner), member: viewer, session }, NOW);
  await expect(roleOf(viewer)).resolves.toBe("owner");
  await expect(roleOf(owner)).resolves.toBe("admin");
  await expect(findSession(pool, kept, NOW)).resolves.not.toBeNull();
  for (const secret of ended) await expect(findSession(pool, secret, NOW)).resolves.toBeNull();
  await expect(findInvitation(pool, token, NOW)).resolves.toMatchObject({ state: "revoked" });
  await expect(
    kindOf(handOverOwnership(pool, { ...by(owner), member: viewer, session })),
  ).resolves.toBe("forbidden");
});

test("at least one owner remains, even if twenty owners act at the same time", async () => {
  for (let round = 0; round < 3; round += 1) {
    const people = await Promise.all(Array.from({ length: 20 }, () => member("owner")));
    const all = [...people.keys()];
    const next = (at: number) => people[(at + 1) % people.length] ?? "";
    await Promise.all(
      all.map((at) => {
        const actor = people[at] ?? "";
        const change = { ...by(actor), member: next(at) };
        if (at % 3 === round) return kindOf(leaveTeam(pool, { ...by(actor), user_id: actor }));
        if (at % 3 === (round + 1) % 3) return kindOf(removeMember(pool, change));
        return kindOf(changeRole(pool, { ...change, role: "viewer" }));
      }),
    );
    expect(await owners()).toBeGreaterThanOrEqual(1);
  }
});

test("when twenty owners leave at the same time, one owner remains", async () => {
  const people = await Promise.all(Array.from({ length: 20 }, () => member("owner")));
  const kinds = await Promise.all(
    people.map((user_id) => kindOf(leaveTeam(pool, { seller_id: seller.id, user_id }))),
  );
  expect(kinds.filter((kind) => kind === "conflict")).toHaveLength(1);
  await expect(owners()).resolves.toBe(1);
});

test("members are listed by role, with the time of their last activity", async () => {
  const [support, owner] = [await member("support"), await member("owner")];
  await createSession(pool, { user_id: owner }, inDays(1));
  const members = await listMembers(pool, seller.id);
  expect(members.map(({ user_id, last_seen }) => [user_id, last_seen])).toEqual([
    [owner, inDays(1).toISOString()],
    [support, null],
  ]);
});

test("only an owner who has a second factor can require one, and only for their own team", async () => {
  const [owner, viewer] = [await member("owner"), await member("viewer")];
  const stranger = await otherSeller();
  const demanded = async (id: string) =>
    singleRow(
      (
        await pool.query<{ is: boolean }>(
          "select demands_second_factor as is from seller where id = $1",
          [id],
        )
      ).rows,
    ).is;
  const demand = (actor: string, is_demanded = true) =>
    kindOf(demandSecondFactor(pool, { seller_id: seller.id, actor, is_demanded }));
  await expect(demand(owner)).resolves.toBe("conflict");
  await expect(demanded(seller.id)).resolves.toBe(false);
  await pool.query(
    "insert into second_factor (user_id, sealed_secret, key_id, confirmed_at) values ($1, '', '', $2)",
    [owner, NOW],
  );
  await expect(demand(owner)).resolves.toBe("done");
  await expect(demanded(seller.id)).resolves.toBe(true);
  await expect(demanded(stranger)).resolves.toBe(false);
  const team = await listMembers(pool, seller.id);
  expect(team.map(({ user_id, has_second_factor }) => [user_id, has_second_factor])).toEqual([
    [owner, true],
    [viewer, false],
  ]);
  // A new member also needs a second factor.
  const joined = await person();
  await accept(await invite(owner), joined);
  await expect(findMembership(pool, joined, seller.code)).resolves.toMatchObject({
    lacks_second_factor: true,
  });
  await pool.query("delete from second_factor where user_id = $1", [owner]);
  await expect(demand(owner, false)).resolves.toBe("done");
  await expect(demanded(seller.id)).resolves.toBe(false);
});
