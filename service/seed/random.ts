import { hash } from "node:crypto";

/** A generator of pseudorandom numbers that are the same in every run (mulberry32). */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  const bits = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const next = () => bits() / 4_294_967_296;
  return {
    /** A whole number from `least` to `most`, both included. */
    integer: (least: number, most: number) => least + Math.floor(next() * (most - least + 1)),
    chance: (share: number) => next() < share,
    pick: <Item>(items: readonly Item[]) => items[Math.floor(next() * items.length)] as Item,
  };
}

export type Random = ReturnType<typeof createRandom>;

/** The generator of the `index`-th item of a kind, independent of the others. */
export const randomOf = (kind: number, index: number) =>
  createRandom(Math.imul(index + 1, 0x9e3779b1) ^ kind);

/**
 * A UUID derived from a name, because a random one from 32 bits of state would repeat within a
 * million rows.
 */
export function uuidOf(name: string): string {
  const hex = hash("sha256", name, "hex");
  const variant = "89ab"[Number.parseInt(hex.charAt(16), 16) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
