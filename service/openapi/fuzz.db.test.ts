import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#scripts/testing/database.ts";
import { createSender } from "../testing/fuzz/http.ts";
import { fuzz } from "../testing/fuzz/run.ts";
import { seedSubject } from "../testing/fuzz/subject.ts";
import { startTestService, type TestService } from "../testing/service.ts";
import { describeService } from "./document.ts";

let database: TestDatabase;
let service: TestService;
beforeAll(async () => {
  database = await createTestDatabase("service");
  service = await startTestService(database.url);
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

test("3,000 valid, nearly valid and hostile requests meet no fault and no undescribed answer", async () => {
  await service.app.listen({ port: 0, host: "127.0.0.1" });
  const sender = createSender((service.app.server.address() as AddressInfo).port);
  const { sent, findings, statuses } = await fuzz({
    ...(await seedSubject(service.pool)),
    description: describeService("http://billing.test", "1.0.2"),
    series: 2,
    count: 3_000,
    width: 8,
    send: sender.send,
  });
  sender.close();
  expect(findings).toEqual([]);
  expect(sent).toBe(3_000);
  for (const status of [200, 201, 301, 303, 400, 401, 403, 404, 405, 413, 415])
    expect([...statuses.keys()]).toContain(status);
}, 120_000);
