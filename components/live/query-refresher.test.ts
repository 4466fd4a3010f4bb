import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { collectionKey } from "#lib/collection/queries.ts";
import type { LiveEvent } from "#lib/live/queries.ts";
import type { Scope } from "#lib/scope.ts";
import { createRefresher } from "./query-refresher.ts";

const scope: Scope = { seller: "shop", mode: "test" };
const event = (kind: LiveEvent["kind"], noun: string | null = null): LiveEvent => ({
  kind,
  ids: ["sub_1"],
  event: null,
  noun,
});

/** Counts the reads of a visible collection query and a notifications query after the event. */
async function countReads(of: LiveEvent) {
  const client = new QueryClient();
  const reads = { collection: 0, notifications: 0 };
  const observe = (name: keyof typeof reads, queryKey: readonly unknown[]) =>
    new QueryObserver(client, {
      queryKey,
      queryFn: () => (reads[name] += 1),
      initialData: 0,
      staleTime: Infinity,
    }).subscribe(() => {});
  observe("collection", [...collectionKey(scope), "queue"]);
  observe("notifications", [scope, "notifications"]);
  const refresher = createRefresher(client, scope);
  refresher.follow(of);
  await vi.waitFor(() => expect(reads.notifications).toBe(1));
  refresher.stop();
  client.clear();
  return reads;
}

test.each([
  event("collection"),
  event("delivery"),
  event("change"),
  event("refresh"),
  event("write", "collection"),
  event("write", "member"),
])(
  "the visible collection page is read once after an event of kind $kind (noun: $noun)",
  async (of) => {
    expect(await countReads(of)).toEqual({ collection: 1, notifications: 1 });
  },
);

test("the collection page is not read again when only notifications changed", async () => {
  expect(await countReads(event("notifications"))).toEqual({ collection: 0, notifications: 1 });
});
