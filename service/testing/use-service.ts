import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tools/testing/database.ts";
import {
  createDeliveryWorker,
  type DeliveryWorker,
  type WorkerOptions,
} from "../deliveries/worker.ts";
import {
  TEST_SECRETS_KEY,
  TEST_START,
  startTestService,
  type TestOptions,
  type TestService,
} from "./service.ts";

/** A service with its own database for the tests of one file; each test begins at TEST_START. */
export function useTestService(
  mode: "test" | "live" = "test",
  options: TestOptions = {},
): TestService {
  const service = {} as TestService;
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase("service");
    Object.assign(service, await startTestService(database.url, mode, options));
  });
  beforeEach(() => service.clock.set(TEST_START));
  afterAll(async () => {
    await service.close();
    await database.drop();
  });
  return service;
}

/** A delivery worker for each test, closed after it, before the earlier hooks of the file clean up. */
export function useDeliveryWorker(
  service: TestService,
  options: Partial<WorkerOptions> = {},
): DeliveryWorker {
  const worker = {} as DeliveryWorker;
  beforeEach(() => {
    const { pool, clock } = service;
    const fixed = { pool, now: clock.now, secretsKey: TEST_SECRETS_KEY, mode: "test" } as const;
    Object.assign(worker, createDeliveryWorker({ ...fixed, privateTargets: true, ...options }));
  });
  afterEach(() => worker.close());
  return worker;
}
