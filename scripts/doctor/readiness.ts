import { failure, ok, type Finding } from "./finding.ts";

const TIMEOUT_MS = 5_000;

/** A program that listens on this machine. */
export interface ListeningProgram {
  name: string;
  healthUrl: string;
}

/** Asks each program whether it can work. */
export const checkReadiness = (programs: readonly ListeningProgram[]): Promise<Finding[]> =>
  Promise.all(programs.map(askProgram));

async function askProgram({ name, healthUrl }: ListeningProgram): Promise<Finding> {
  const url = healthUrl.replace(/healthz$/, "readyz");
  const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
    () => null,
  );
  await answer?.body?.cancel();
  if (answer?.ok) return ok(`The ${name} is ready at ${new URL(url).host}.`);
  return answer
    ? failure(
        `The ${name} runs, but is not ready (status ${answer.status}): it does not reach its database.`,
        "See the results of the databases, and its log.",
      )
    : failure(
        `The ${name} does not answer at ${new URL(url).host}.`,
        "Start it; if it ended, its log says why.",
      );
}
