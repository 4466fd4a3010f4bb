import { afterEach, expect, test, vi } from "vitest";
import { YOGA } from "#tools/testing/servers/other-records.ts";
import type { Product } from "#contract/products.ts";
import { productRow } from "./rows.ts";

afterEach(() => vi.unstubAllEnvs());

test.each<[what: string, text: string, moment: string | null]>([
  ["without an offset in UTC", "2026-01-02T03:04:05", "2026-01-02T03:04:05.000Z"],
  ["with an offset by it", "2026-01-02T03:04:05+05:45", "2026-01-01T21:19:05.000Z"],
  ["that is a day as its beginning", "2026-01-02", "2026-01-02T00:00:00.000Z"],
  ["that is none as nothing", "batch 5", null],
])("a moment %s is copied, wherever the server stands", (_what, created_at, moment) => {
  vi.stubEnv("TZ", "Asia/Kathmandu");
  const product = { ...YOGA, created_at } as unknown as Product;
  expect(productRow(product).created_at).toBe(moment);
});
