import { expect, test } from "vitest";
import { searchCustomers } from "#lib/search-index/query/search-records.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { createIndexedSeller } from "#tools/testing/fixtures/records-fixture.ts";

useDashboardDatabase();

test("the index finds a customer by the beginning of a phone number or by at least its last four digits", async () => {
  const customer = {
    id: 7,
    full_name: "Asha Rai",
    buyer_phone: "+977 980-1234567",
    buyer_email: "",
    created_at: "2026-11-20T00:00:00Z",
  };
  const owner = await createIndexedSeller(pool, { customers: [customer] });
  const count = async (text: string) => {
    const answer = await searchCustomers(pool, owner, text, { page: 1, page_size: 20 });
    return answer.state === "ready" ? answer.count : null;
  };
  for (const typed of ["9801", "980-12", "4567", "234567", "४५६७"])
    expect(await count(typed), typed).toBe(1);
  for (const typed of ["567", "2345"]) expect(await count(typed), typed).toBe(0);
});
