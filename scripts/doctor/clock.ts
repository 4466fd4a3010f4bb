import type pg from "pg";
import { askApi } from "./api.ts";
import { ok, warning, failure, note, type Finding } from "./finding.ts";
import { servicesOf, type Look } from "./look.ts";

/** Compares the clock of this machine with the databases and the Date headers of the services. */
export async function checkClocks({ env, dashboard, service }: Look): Promise<Finding[]> {
  const databases = [
    { name: "the dashboard's database", pool: dashboard },
    { name: "the service's database", pool: service },
  ].flatMap(({ name, pool }) =>
    pool ? [aheadOfDatabase(pool).then((ahead) => judgeClock(name, ahead))] : [],
  );
  const services = servicesOf(env).map(async ({ mode, url }) => {
    const name = `the billing API of ${mode} mode`;
    const answer = await askApi(url).catch(() => null);
    // The Date header is cut to whole seconds: half a second is missing on average.
    const said = answer?.date ? Date.parse(answer.date) + 500 : null;
    return answer === null || said === null
      ? note(`What time it is at ${name} is unknown: it does not say.`)
      : judgeClock(name, (said - answer.middle) / 1_000);
  });
  return Promise.all([...databases, ...services]);
}

async function aheadOfDatabase(pool: pg.Pool): Promise<number> {
  // The first query also opens the connection, which would distort the measurement.
  await pool.query("select 1");
  const began = Date.now();
  const { rows } = await pool.query<{ now: number }>(
    "select extract(epoch from clock_timestamp())::float8 as now",
  );
  return (rows[0]?.now ?? 0) - (began + Date.now()) / 2_000;
}

const NOTICED = 2;
const HARMFUL = 60;

/** @param ahead seconds by which the other clock is ahead of this machine's */
export function judgeClock(name: string, ahead: number): Finding {
  const apart = Math.abs(ahead);
  if (apart <= NOTICED) return ok(`The clocks here and at ${name} agree.`);
  const words = `The clock at ${name} is ${Math.round(apart)} seconds ${ahead > 0 ? "ahead of" : "behind"} this machine's.`;
  const remedy =
    "Let both machines set their clocks by the network (chrony, systemd-timesyncd).";
  if (apart <= HARMFUL) return warning(words, remedy);
  return failure(
    `${words} Signatures of webhooks hold for five minutes, codes of second factors for one.`,
    remedy,
  );
}
