import { expect, test } from "vitest";
import { createFairQueue } from "./fair-queue.ts";

const LIMITS = { atOnce: 3, ofOneSeller: 2, mostWaiting: 5 };

/** Creates work that ends when the test says so, and records which has begun. */
function stage(limits = LIMITS) {
  const inTurn = createFairQueue(limits);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (seller: string, name: string) =>
    inTurn(seller, () => {
      begun.push(name);
      return new Promise<void>((end) => ends.set(name, end));
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    // Work that was waiting begins within the same turn of the event loop.
    await new Promise(setImmediate);
  };
  return { inTurn, begun, ask, end };
}

test("a seller with many waiting runs is limited to two at once, and sellers take turns", async () => {
  const { begun, ask, end } = stage();
  for (const name of ["a1", "a2", "a3", "a4"]) void ask("a", name);
  await new Promise(setImmediate);
  expect(begun).toEqual(["a1", "a2"]);
  void ask("b", "b1");
  void ask("b", "b2");
  void ask("c", "c1");
  await new Promise(setImmediate);
  expect(begun).toEqual(["a1", "a2", "b1"]);
  for (const name of ["a1", "a2", "b1"]) await end(name);
  // The sellers take turns, whatever the order of their calls.
  expect(begun).toEqual(["a1", "a2", "b1", "a3", "b2", "c1"]);
});

test("a seller with too many waiting runs is refused, while another seller's run is accepted", async () => {
  const { begun, ask, inTurn, end } = stage({ atOnce: 2, ofOneSeller: 1, mostWaiting: 2 });
  for (const name of ["a1", "a2", "a3"]) void ask("a", name);
  await expect(ask("a", "a4")).rejects.toMatchObject({ failure: { kind: "rate_limited" } });
  await expect(inTurn("b", async () => "done")).resolves.toBe("done");
  await end("a1");
  expect(begun).toEqual(["a1", "a2"]);
});

test("a failed run frees its slot in the queue for the next run", async () => {
  const { inTurn } = stage({ atOnce: 1, ofOneSeller: 1, mostWaiting: 1 });
  const failing = inTurn("a", async () => {
    throw new Error("failed");
  });
  await expect(failing).rejects.toThrow("failed");
  await expect(inTurn("a", async () => "next")).resolves.toBe("next");
});
