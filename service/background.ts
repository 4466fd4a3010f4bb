import type { Config } from "./config.ts";
import { UNOBSERVED } from "./deliveries/recorder.ts";
import { runDeliveries } from "./deliveries/worker.ts";
import type { Jobs } from "./jobs.ts";
import { runLifecycle } from "./lifecycle/run.ts";
import type { Metrics } from "./metrics.ts";
import { runRetention } from "./retention.ts";

interface WorkOptions extends Pick<
  Config,
  | "mode"
  | "privateTargets"
  | "secretsKey"
  | "oldSecretsKeys"
  | "abandonedAfter"
  | "webhookTimeout"
  | "deliveriesKept"
> {
  now: () => Date;
  metrics: Metrics | undefined;
  onError: (error: unknown, what: string) => void;
  /** A notice for the operator, without personal data. */
  onNotice: (words: string) => void;
}

export async function startBackgroundWork(
  jobs: Jobs,
  { onError, onNotice, metrics, secretsKey, ...options }: WorkOptions,
) {
  const failing = (what: string) => ({
    onError: (error: unknown) => onError(error, `${what} failed`),
  });
  const lifecycle = await runLifecycle(jobs, { ...options, ...failing("the lifecycle") });
  const retention = await runRetention(jobs, options);
  const observer = metrics?.observeDeliveries() ?? UNOBSERVED;
  // Without the key no endpoint was ever registered, so there is nothing to deliver.
  const deliveries = secretsKey
    ? await runDeliveries(jobs, {
        ...options,
        ...failing("the delivery worker"),
        secretsKey,
        timeout: options.webhookTimeout,
        observer: {
          ...observer,
          switchedOff: (reason, webhookId) => {
            observer.switchedOff(reason, webhookId);
            onNotice(`webhook endpoint ${webhookId} was switched off: ${reason}`);
          },
        },
      })
    : null;
  const running = [lifecycle, retention, ...(deliveries ? [deliveries] : [])];
  return { close: () => jobs.close(running) };
}
