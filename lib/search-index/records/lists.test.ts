import { afterEach, expect, test, vi } from "vitest";
import { YOGA_PRODUCT } from "#tools/testing/servers/other-records.ts";
import type { Product } from "#contract/products.ts";
import { productRow } from "./lists.ts";

afterEach(() => vi.unstubAllEnvs());

test.each<[what: string, text: string, moment: string | null]>([
  ["without an offset is indexed as UTC", "2026-01-02T03:04:05", "2026-01-02T03:04:05.000Z"],
  [
    "with an offset is indexed by that offset",
    "2026-01-02T03:04:05+05:45",
    "2026-01-01T21:19:05.000Z",
  ],
  [
    "without a time is indexed as the start of the day",
    "2026-01-02",
    "2026-01-02T00:00:00.000Z",
  ],
  ["that cannot be read is indexed as null", "batch 5", null],
])("on a server in Kathmandu, a moment %s", (_what, created_at, moment) => {
  vi.stubEnv("TZ", "Asia/Kathmandu");
  const product = { ...YOGA_PRODUCT, plan: [], created_at } as unknown as Product;
  expect(productRow(product).created_at).toBe(moment);
});
