import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { FakeProvider } from "../testing/fake-provider.ts";
import { createSender } from "../testing/fuzz/http.ts";
import { runServiceFuzz } from "../testing/fuzz/run.ts";
import { seedFuzzedService } from "../testing/fuzz/subject.ts";
import { TEST_SECRETS_KEY } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";
import { describeService } from "./document.ts";
import { operationsOf } from "./operations.ts";

const service = useTestService("test", { providers: [new FakeProvider().adapter()] });

test("3,000 random valid, invalid and hostile requests get no 5xx and no answer missing from the OpenAPI document", async () => {
  await service.app.listen({ port: 0, host: "127.0.0.1" });
  const operations = operationsOf(service.app);
  const sender = createSender((service.app.server.address() as AddressInfo).port);
  const { sent, findings, statuses } = await runServiceFuzz({
    ...(await seedFuzzedService(service.pool, TEST_SECRETS_KEY)),
    operations,
    description: describeService(operations, {
      publicUrl: "http://billing.test",
      version: "1.0.2",
    }),
    series: 3,
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
