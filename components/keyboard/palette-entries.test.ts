import { describe, expect, test } from "vitest";
import type { Role } from "#lib/auth/permissions.ts";
import type { Mode } from "#lib/scope.ts";
import { matchRank } from "#lib/text/match-text.ts";
import { translatorOf } from "#tools/testing/messages.ts";
import { paletteGroups, pastedEntry, type PaletteContext } from "./palette-entries.ts";

const SELLER = "0123456789";
const VIEW = {
  id: "5f0c1d5e",
  name: "Gold, owed",
  is_shared: true,
  query: "status=due&plan=Gold",
  words: "asha",
};

function readerOf(role: Role, mode: Mode = "test"): PaletteContext {
  const path = "/subscriptions/7c1";
  const scope = { seller: SELLER, mode };
  return { t: translatorOf("keyboard"), scope, role, language: "en", path, views: [VIEW] };
}

const entriesOf = (role: Role, mode?: Mode) =>
  paletteGroups(readerOf(role, mode), []).flatMap(({ items }) => items);
const titlesOf = (role: Role, mode?: Mode) => entriesOf(role, mode).map(({ title }) => title);
const find = (words: string) =>
  entriesOf("owner").filter((entry) => matchRank(entry, words) > 0);

describe("the command palette", () => {
  test("offers only what the role allows", () => {
    const withoutViewer = titlesOf("owner").filter(
      (title) => !titlesOf("viewer").includes(title),
    );
    expect(withoutViewer).toEqual([
      "New subscription",
      "Payments",
      "Reports",
      "Webhooks",
      "Webhook deliveries",
      "Import buyers",
      "Business settings",
      "Messages to buyers",
      "Channels for messages",
      "Schedule of reminders",
      "Payment methods",
      "Connection",
      "API keys",
      "Team",
      "Audit log",
    ]);
    expect(titlesOf("support")).toContain("New subscription");
    expect(titlesOf("support")).not.toContain("Team");
  });

  test("offers the sandbox in test mode only, and a switch to the other mode in both", () => {
    expect(titlesOf("owner", "test")).toContain("Sandbox");
    expect(titlesOf("owner", "live")).not.toContain("Sandbox");
    expect(titlesOf("owner", "test")).toContain("Switch to live mode");
    expect(titlesOf("owner", "live")).not.toContain("Switch to live mode");
    expect(titlesOf("owner", "live")).toContain("Switch to test mode");
  });

  test("leads from a subscription's page to the list of subscriptions when the mode is switched", () => {
    const [entry] = find("live mode");
    expect(entry?.does).toEqual({ kind: "go", href: `/${SELLER}/live/subscriptions` });
  });

  test("lists a filter for each status of subscriptions", () => {
    expect(find("due").map(({ does }) => does)).toContainEqual({
      kind: "go",
      href: `/${SELLER}/test/subscriptions?status=due`,
    });
    expect(entriesOf("viewer").filter(({ kind }) => kind === "list")).toHaveLength(6);
  });

  test("lists a saved view, without its search text in the URL", () => {
    expect(find("gold owed")).toMatchObject([
      {
        title: "Gold, owed",
        note: "Shared view",
        does: {
          kind: "view",
          href: `/${SELLER}/test/subscriptions?status=due&plan=Gold&view=5f0c1d5e`,
        },
      },
    ]);
  });

  test("finds entries by synonyms and by words of the dashboard's other language", () => {
    expect(find("बक्यौता").map(({ title }) => title)).toContain("Due subscriptions");
    expect(find("log out").map(({ title }) => title)).toEqual(["Sign out"]);
    expect(find("history").map(({ title }) => title)).toContain("Audit log");
  });

  test("opens a subscription whose id was pasted", () => {
    expect(pastedEntry(readerOf("viewer"), "a b").does).toEqual({
      kind: "go",
      href: `/${SELLER}/test/subscriptions/a%20b`,
    });
  });
});
