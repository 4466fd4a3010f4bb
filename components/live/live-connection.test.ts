import { randomUUID } from "node:crypto";
import { afterEach, expect, test, vi } from "vitest";
import { electLeader } from "./live-connection.ts";

const { locks } = navigator;
let tabs: AbortController[] = [];
afterEach(() => {
  for (const tab of tabs) tab.abort();
  tabs = [];
});

function openTab(name: string, manager: Pick<LockManager, "request"> = locks) {
  const ending = new AbortController();
  tabs.push(ending);
  let leads = 0;
  let isLeading = false;
  const steal = electLeader({
    locks: manager as LockManager,
    name,
    signal: ending.signal,
    lead: () => {
      leads += 1;
      isLeading = true;
    },
    leave: () => (isLeading = false),
  });
  return {
    steal,
    close: () => ending.abort(),
    state: () => ({ isLeading, leads }),
  };
}

const isHeld = async (name: string) =>
  (await locks.query()).held?.some((lock) => lock.name === name);

test("one of two tabs leads, and the second tab takes over when the first closes", async () => {
  const name = randomUUID();
  const [first, second] = [openTab(name), openTab(name)];
  await vi.waitFor(() => expect(first.state()).toEqual({ isLeading: true, leads: 1 }));
  expect(second.state().leads).toBe(0);
  first.close();
  await vi.waitFor(() => expect(second.state().isLeading).toBe(true));
});

test("a tab whose lock is stolen stops leading, and leads again once the other tab closes", async () => {
  const name = randomUUID();
  const [first, second] = [openTab(name), openTab(name)];
  await vi.waitFor(() => expect(first.state().isLeading).toBe(true));
  second.steal();
  await vi.waitFor(() => expect(second.state().isLeading).toBe(true));
  await vi.waitFor(() => expect(first.state().isLeading).toBe(false));
  second.close();
  await vi.waitFor(() => expect(first.state()).toEqual({ isLeading: true, leads: 2 }));
});

test("a tab that closes before it steals the lock does not lead, and the lock is free after the last tab closes", async () => {
  const name = randomUUID();
  const [first, second] = [openTab(name), openTab(name)];
  await vi.waitFor(() => expect(first.state().isLeading).toBe(true));
  // The tab closes first, because here the lock is granted at once.
  second.close();
  second.steal();
  await vi.waitFor(() => expect(first.state()).toEqual({ isLeading: true, leads: 2 }));
  expect(second.state().leads).toBe(0);
  first.close();
  await vi.waitFor(async () => expect(await isHeld(name)).toBe(false));
});

test("a tab leads without the lock when the browser refuses the lock, and does not request the lock again", async () => {
  let asked = 0;
  const refusing = {
    request: () => {
      asked += 1;
      return Promise.reject(new DOMException("no", asked > 9 ? "AbortError" : "SecurityError"));
    },
  };
  const alone = openTab(randomUUID(), refusing as Pick<LockManager, "request">);
  await vi.waitFor(() => expect(alone.state()).toEqual({ isLeading: true, leads: 1 }));
  expect(asked).toBe(1);
});
