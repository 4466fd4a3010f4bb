import { expect, test } from "vitest";
import { fromPropJson } from "#lib/query/fetch-json.ts";
import { GET } from "../../app/api/words/route.ts";

const ask = (query: string) => GET(new Request(`https://duebook.example/api/words?${query}`));

test("words are kept by browsers under the address of their version only", async () => {
  const guessed = await ask("language=ne&version=old&of=auth&of=root");
  expect(guessed.headers.get("cache-control")).toBe("no-store");
  const words = (await guessed.json()) as Record<string, string>;
  expect(Object.keys(words)).toEqual(["auth", "root"]);
  expect(fromPropJson(words["auth"] ?? "")).toHaveProperty("auth.email", "इमेल");
});

test.each(["language=fr&of=root", "language=en&of=nothing", "language=en", "of=root"])(
  "%s has no words",
  async (query) => {
    const { status, headers } = await ask(query);
    expect([status, headers.get("cache-control")]).toEqual([404, "no-store"]);
  },
);
