import { runDeliveries } from "../deliveries/run.ts";
import { TEST_SECRETS_KEY } from "./service.ts";

/** A worker as a process of its own, to be killed: `node worker-process.ts <database address>`. */
await runDeliveries({
  databaseUrl: process.argv[2] ?? "",
  secretsKey: TEST_SECRETS_KEY,
  mode: "test",
  now: () => new Date(),
  timeout: 400,
  lease: 1_200,
});
process.send?.("ready");
