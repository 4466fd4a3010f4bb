import { afterAll, beforeAll, beforeEach } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tools/testing/database.ts";
import { TEST_START, startTestService, type TestOptions, type TestService } from "./service.ts";

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
