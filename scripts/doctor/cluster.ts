import * as z from "zod";
import { systemReasonOf } from "../process/command.ts";
import { judgeClock } from "./api.ts";
import { failure, note, ok, presentFindings, warning, type Finding } from "./finding.ts";

type Variables = Record<string, string | undefined>;

const TIMEOUT_MS = 3_000;
const MIB = 1_024 ** 2;
/** A replica that lags by this many bytes of the log, or by more, gets a warning. */
const LAG = 64 * MIB;

interface Heard {
  text: string;
  /** Seconds by which the other clock is ahead; null if it sends no time. */
  ahead: number | null;
}

/** The answer at an address, or the reason why there is none. */
async function ask(address: string): Promise<Heard | string> {
  const began = Date.now();
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const date = answer.headers.get("date");
    // The Date header is cut to whole seconds: half a second is missing on average.
    const said = date === null ? null : Date.parse(date) + 500;
    const text = await answer.text();
    if (!answer.ok) return `status ${answer.status}`;
    return { text, ahead: said === null ? null : (said - (began + Date.now()) / 2) / 1_000 };
  } catch (error) {
    if (error instanceof Error && error.name === "TimeoutError") return "no answer in time";
    return systemReasonOf((error instanceof Error && error.cause) || error) || "no answer";
  }
}

const Cluster = z.object({
  members: z.array(
    z.object({
      name: z.string(),
      role: z.string(),
      state: z.string(),
      api_url: z.string().optional(),
      lag: z.union([z.number(), z.literal("unknown")]).optional(),
    }),
  ),
  pause: z.boolean().optional(),
});
type ClusterState = z.infer<typeof Cluster>;
type Member = ClusterState["members"][number];

const MemberState = z.object({ role: z.string() });

function parseJson<Value>(schema: z.ZodType<Value>, text: string): Value | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** Checks that one of the machines leads, that a replica confirms its commits, and that all follow. */
export async function checkPatroni(variables: Variables): Promise<Finding[]> {
  const address = variables["PATRONI_RESTAPI_CONNECT_ADDRESS"];
  if (!address)
    return [
      note(
        "No Patroni is configured here: nobody but a person replaces a lost database server.",
        "On one of three machines, name its settings: --settings /etc/duebook",
      ),
    ];
  const protocol = variables["PATRONI_RESTAPI_CERTFILE"] ? "https" : "http";
  const answer = await ask(`${protocol}://${address}/cluster`);
  if (typeof answer === "string")
    return [
      failure(
        `Patroni does not answer at ${address}: ${answer}.`,
        "Look at systemctl status patroni and journalctl -u patroni.",
      ),
    ];
  const cluster = parseJson(Cluster, answer.text);
  if (!cluster)
    return [
      failure(
        `What answers at ${address} is not Patroni.`,
        "Correct PATRONI_RESTAPI_CONNECT_ADDRESS.",
      ),
    ];
  const heard = await askMembers(cluster.members);
  return [...judgeCluster(cluster, heard), ...heard.flatMap(judgePatroni)];
}

const FOLLOWING = new Set(["running", "streaming"]);
const CONFIRMING = new Set(["sync_standby", "quorum_standby"]);

/**
 * Judges the cluster's list together with the machines' own answers, because the list has what they last
 * reported.
 */
function judgeCluster(
  { members, pause = false }: ClusterState,
  heard: HeardMember[],
): Finding[] {
  const primaries = heard.filter(isPrimary).map(({ name }) => name);
  const present = members.filter(
    ({ name }) => !heard.some((one) => one.name === name && typeof one.answer === "string"),
  );
  const confirming = present.filter(
    ({ role, state }) => CONFIRMING.has(role) && FOLLOWING.has(state),
  );
  return presentFindings(
    primaries.length === 1 &&
      ok(`${primaries[0]} leads a cluster of ${members.length} machines.`),
    primaries.length === 0 &&
      failure(
        "No machine leads: every write is refused.",
        "Look at patronictl list; with etcd on two machines and Patroni on one of them a leader is elected.",
      ),
    primaries.length > 1 &&
      failure(
        `${primaries.join(" and ")} both call themselves the primary.`,
        "Stop Patroni and PostgreSQL on the one that patronictl list does not show as leader.",
      ),
    confirming.length > 0
      ? ok(`${confirming.map(({ name }) => name).join(", ")} confirms each commit.`)
      : failure(
          "No replica confirms commits: writes wait, and are refused.",
          "Start Patroni on another machine; its disk may be full, or its replication slot lost.",
        ),
    members.length < 3 &&
      warning(
        `The cluster knows ${members.length} of three machines.`,
        "Start Patroni on the others: the next fault stops all writes.",
      ),
    pause &&
      warning("Patroni is paused: nobody takes over a lost primary.", "Run: patronictl resume"),
    ...present.flatMap(judgeMember),
  );
}

function judgeMember({ name, role, state, lag }: Member): Finding[] {
  if (!FOLLOWING.has(state))
    return [
      warning(
        `${name} is not running: ${state || "its state is unknown"}.`,
        `Look at journalctl -u patroni there; if it cannot follow: patronictl reinit duebook ${name}`,
      ),
    ];
  if (role === "leader" || lag === undefined) return [];
  if (lag !== "unknown" && lag < LAG)
    return [ok(`${name} follows, ${(lag / MIB).toFixed(1)} MiB behind.`)];
  const behind = lag === "unknown" ? "by an unknown amount" : `by ${Math.round(lag / MIB)} MiB`;
  return [
    warning(
      `${name} is behind the primary ${behind}.`,
      `Look at its disk and network; if the lag grows: patronictl reinit duebook ${name}`,
    ),
  ];
}

interface HeardMember {
  name: string;
  /** The answer of the machine's own Patroni, or the reason why there is none. */
  answer: Heard | string;
}

const askMembers = (members: readonly Member[]): Promise<HeardMember[]> =>
  Promise.all(
    members.map(async ({ name, api_url }) => ({
      name,
      answer: api_url === undefined ? "its address is unknown" : await ask(api_url),
    })),
  );

const PRIMARY = new Set(["primary", "master"]);

const isPrimary = ({ answer }: HeardMember) =>
  typeof answer !== "string" && PRIMARY.has(parseJson(MemberState, answer.text)?.role ?? "");

function judgePatroni({ name, answer }: HeardMember): Finding[] {
  if (typeof answer === "string")
    return [
      warning(
        `Patroni of ${name} does not answer: ${answer}.`,
        "Start the machine, or open port 8008 between the machines.",
      ),
    ];
  return answer.ahead === null ? [] : [judgeClock(name, answer.ahead)];
}

const splitList = (list: string | undefined) =>
  (list ?? "").split(",").flatMap((one) => one.trim() || []);

/** Checks that etcd can elect: more than half of its members are healthy. */
export async function checkEtcd(variables: Variables): Promise<Finding[]> {
  const { PATRONI_ETCD_HOSTS, PATRONI_ETCD3_HOSTS } = variables;
  const hosts = splitList(PATRONI_ETCD_HOSTS ?? PATRONI_ETCD3_HOSTS);
  if (hosts.length === 0) return [note("No etcd is configured here.")];
  const protocol =
    variables["PATRONI_ETCD_PROTOCOL"] ?? variables["PATRONI_ETCD3_PROTOCOL"] ?? "http";
  const unhealthy = await Promise.all(
    hosts.map(async (host) => {
      const answer = await ask(`${protocol}://${host}/health`);
      const isHealthy = typeof answer !== "string" && /"health":\s*"true"/.test(answer.text);
      return isHealthy ? [] : [host];
    }),
  );
  return [judgeEtcd(hosts.length, unhealthy.flat())];
}

function judgeEtcd(all: number, unhealthy: string[]): Finding {
  const remedy = `Look at systemctl status etcd and journalctl -u etcd on ${unhealthy.join(", ")}.`;
  const words = `${all - unhealthy.length} of ${all} members of etcd are healthy`;
  if (unhealthy.length === 0) return ok(`${words}.`);
  if (all - unhealthy.length > all / 2)
    return warning(`${words}: after one more fault no machine can take over another.`, remedy);
  return failure(`${words}, which is no quorum: no machine can take over another.`, remedy);
}

/** Checks which machines HAProxy sends the programs to. */
export async function checkProxy(variables: Variables): Promise<Finding[]> {
  const address = variables["HAPROXY_STATUS_URL"];
  if (!address) return [note("No HAProxy is configured here.")];
  const answer = await ask(`${address.replace(/\/+$/, "")}/;csv`);
  if (typeof answer === "string")
    return [
      failure(
        `HAProxy does not answer at ${address}: ${answer}.`,
        "Look at systemctl status haproxy; the programs reach no database without it.",
      ),
    ];
  return judgeProxy(serversIn(answer.text));
}

interface Server {
  proxy: string;
  name: string;
  isUp: boolean;
}

const TOTALS = new Set(["FRONTEND", "BACKEND"]);

/** The servers in HAProxy's table of statistics, whose quoted fields come after those read here. */
function serversIn(csv: string): Server[] {
  const [head = "", ...lines] = csv.trim().split("\n");
  const names = head.replace(/^# /, "").split(",");
  const [proxy, server, status] = ["pxname", "svname", "status"].map((name) =>
    names.indexOf(name),
  );
  return lines.flatMap((line) => {
    const fields = line.split(",");
    const name = fields[server ?? -1] ?? "";
    if (name === "" || TOTALS.has(name)) return [];
    const isUp = (fields[status ?? -1] ?? "").startsWith("UP");
    return [{ proxy: fields[proxy ?? -1] ?? "", name, isUp }];
  });
}

function judgeProxy(servers: readonly Server[]): Finding[] {
  const up = (proxy: string) =>
    servers.filter((one) => one.proxy === proxy && one.isUp).map(({ name }) => name);
  const [primary, replica] = [up("primary"), up("replica")];
  return [
    primary.length === 1
      ? ok(`HAProxy sends the programs to ${primary.join()}.`)
      : failure(
          primary.length === 0
            ? "HAProxy finds no primary: no program reaches its database."
            : `HAProxy takes ${primary.join(" and ")} for the primary.`,
          "Look at what Patroni says above, and that port 8008 of the machines is open to this one.",
        ),
    replica.length > 0
      ? ok(`HAProxy sends reports and searches to ${replica.join(", ")}.`)
      : warning(
          "HAProxy finds no synchronous replica: reports and searches read the primary.",
          "It comes back with the replica that confirms commits.",
        ),
  ];
}
