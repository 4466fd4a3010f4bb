import { existsSync, statSync } from "node:fs";
import { isBlocked, isLoopback } from "#contract/process/network.ts";
import { envProblems, ENV_NAMES } from "#lib/env.ts";
import { clearTextWarning, isReachableByOthers } from "#lib/exposure.ts";
import { configProblems, CONFIG_NAMES } from "../../service/config.ts";
import { passwordAdvice } from "../demonstration/account.ts";
import { systemReasonOf } from "../process/command.ts";
import { secretsFile } from "../process/secrets.ts";
import { readPort, readSettings } from "../process/settings.ts";
import {
  failure,
  isPrivateHost,
  presentFindings,
  note,
  ok,
  warning,
  type Finding,
} from "./finding.ts";

type Variables = Record<string, string | undefined>;

const CORRECT_IT =
  "Correct it in the environment or in the file .env, and start Duebook again.";

/** Checks the settings that the commands read. @param environment before defaults are applied */
export async function checkPorts(environment: Variables): Promise<Finding[]> {
  const findings = [() => readPort("PORT", 3000), () => readPort("SERVICE_PORT", 4000)].flatMap(
    problemsOf,
  );
  if (findings.length === 0) findings.push(...problemsOf(readSettings));
  if (findings.length === 0) {
    const { port, servicePort, ownService } = readSettings();
    const asked = { PORT: port, ...(ownService && { SERVICE_PORT: servicePort }) };
    for (const [name, one] of Object.entries(asked))
      if (await isBlocked(one))
        findings.push(failure(`Browsers block the port of ${name}.`, CORRECT_IT));
  }
  const proxies = environment["TRUSTED_PROXIES"] || "0";
  if (!/^\d$/.test(proxies))
    findings.push(failure("TRUSTED_PROXIES is not a number from 0 to 9.", CORRECT_IT));
  return findings;
}

function problemsOf(read: () => unknown): Finding[] {
  try {
    read();
    return [];
  } catch (error) {
    return [failure(systemReasonOf(error), CORRECT_IT)];
  }
}

/** Checks the settings of both programs. @param service null if the service does not run here */
export function checkPrograms(dashboard: Variables, service: Variables | null): Finding[] {
  const problems = [...envProblems(dashboard), ...(service ? configProblems(service) : [])].map(
    (problem) => failure(`${problem}.`, CORRECT_IT),
  );
  return problems.length > 0 ? problems : [ok("All settings of the programs are valid.")];
}

const OWN = /^(SERVICE|BILLING|BREACHED|MIRROR|OIDC|SMTP|API_KEY_ENCRYPTION|NEXTAUTH)_/;
const COMMANDS_READ = ["SMTP_URL"];

/** Finds unknown variables that resemble known ones: a typo would otherwise go unnoticed. */
export function checkNames(environment: Variables): Finding[] {
  const known = new Set([...ENV_NAMES, ...CONFIG_NAMES, ...COMMANDS_READ]);
  return Object.keys(environment)
    .filter((name) => OWN.test(name) && !known.has(name))
    .map((name) => warning(`${name} is set, but no program reads it.`, "Check its spelling."));
}

/** Finds settings that work but are unsafe, and a file of secrets that other users can read. */
export function checkExposure(environment: Variables, dataDirectory: string): Finding[] {
  const clearText = clearTextWarning(environment);
  const advice = passwordAdvice(environment);
  const file = secretsFile(dataDirectory);
  const judgeAddress = (name: string) => judgeClusterAddress(name, environment[name] ?? "");
  const isExposed =
    process.platform !== "win32" && existsSync(file) && (statSync(file).mode & 0o077) !== 0;
  return presentFindings(
    clearText !== null && warning(clearText, CORRECT_IT),
    advice !== null && warning(`npm run up refuses to start: ${advice}`, CORRECT_IT),
    isExposed &&
      failure(`${file} can be read by other users of this machine.`, `Run: chmod 600 ${file}`),
    ...judgeService(environment),
    !environment["PATRONI_RESTAPI_CERTFILE"] && judgeAddress("PATRONI_RESTAPI_CONNECT_ADDRESS"),
    judgeAddress("ETCD_ADVERTISE_CLIENT_URLS"),
  );
}

function judgeService(environment: Variables): Finding[] {
  const { SERVICE_PUBLIC_URL, SERVICE_PRIVATE_TARGETS } = environment;
  const publicUrl = URL.parse(SERVICE_PUBLIC_URL ?? "");
  return presentFindings(
    publicUrl?.protocol === "http:" &&
      !isLoopback(publicUrl.hostname) &&
      warning("Buyers open the checkout without TLS (SERVICE_PUBLIC_URL).", CORRECT_IT),
    SERVICE_PRIVATE_TARGETS === "allow" &&
      isReachableByOthers(environment) &&
      warning(
        "Sandbox webhooks of any seller may reach this machine and its network (SERVICE_PRIVATE_TARGETS).",
        "Leave it out, unless you know every seller.",
      ),
  );
}

/** Without TLS, whoever reaches etcd or Patroni can decide which machine is the primary. */
function judgeClusterAddress(name: string, address: string): Finding | false {
  const url = URL.parse(address.includes("://") ? address : `http://${address}`);
  if (address === "" || url?.protocol !== "http:" || isPrivateHost(url.hostname)) return false;
  return failure(
    `${name} is a public address without TLS.`,
    "Use an address of the machines' own network, or TLS, and close ports 2379, 2380 and 8008 to others.",
  );
}

/** @param wanted the Node.js version in node_modules */
export function checkNode(version: string, wanted: string): Finding[] {
  if (version === wanted) return [ok(`Node ${version}, the version in node_modules.`)];
  const words = `This is Node ${version}; Duebook is tested on ${wanted}, which is in node_modules.`;
  return [note(words, "Start it by npm run up, or put node_modules/.bin first in PATH.")];
}
