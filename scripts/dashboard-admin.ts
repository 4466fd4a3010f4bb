import pg from "pg";
import { writeAccountEvent } from "#lib/auth/credentials/account-event.ts";
import { endSessions } from "#lib/auth/sessions/session-list.ts";
import { createResetPath } from "#lib/auth/credentials/password-reset.ts";
import { switchOffSecondFactor } from "#lib/auth/credentials/second-factor.ts";
import {
  rotateKeys,
  SEALED_KINDS,
  type SealedKind,
} from "#lib/auth/credentials/key-rotation.ts";
import { listMissing } from "#lib/db/migrate.ts";
import { encryptionKeysOf, readEnv, type Env } from "#lib/env.ts";
import { CommandFailure, systemReasonOf, runCommand } from "./process/command.ts";
import { ensureSecrets } from "./process/secrets.ts";
import { openDatabases, readSettings } from "./process/settings.ts";

interface Context {
  pool: pg.Pool;
  settings: Env;
  arguments_: string[];
}

interface Command {
  usage: string;
  summary: string;
  run: (context: Context) => Promise<void>;
}

const COMMANDS: Record<string, Command> = {
  "rotate-keys": {
    usage: "rotate-keys",
    summary:
      "Encrypts stored secrets with API_KEY_ENCRYPTION_KEY; _OLD decrypts them. Can be stopped and run again.",
    run: rotate,
  },
  "reset-link": {
    usage: "reset-link <email>",
    summary: "Prints a link by which that person sets a new password, once, within an hour.",
    run: printResetLink,
  },
  "second-factor-off": {
    usage: "second-factor-off <email>",
    summary: "For a person who lost the app and the recovery codes. Verify who is asking.",
    run: switchOff,
  },
  operator: {
    usage: "operator <email> on|off",
    summary: "Lets that person verify businesses at /operator, or no longer.",
    run: setOperator,
  },
  "end-sessions": {
    usage: "end-sessions <email>|--all",
    summary: "Signs that person out everywhere, or everybody, at once.",
    run: endAll,
  },
};

const SEALED_NAMES: Record<SealedKind, string> = {
  api_keys: "API keys",
  account_tokens: "account tokens",
  message_account_tokens: "tokens of accounts for messages",
  webhook_secrets: "secrets of webhooks",
  second_factors: "second factors",
};

async function rotate({ pool, settings }: Context) {
  const unopened: string[] = [];
  for (const kind of SEALED_KINDS) {
    const done = await rotateKeys(pool, kind, encryptionKeysOf(settings), {
      onBatch: (so_far) => console.log(`${so_far.rewrapped} re-encrypted …`),
    });
    console.log(
      `Re-encrypted ${SEALED_NAMES[kind]}: ${done.rewrapped}. All others had the new key already.`,
    );
    if (done.unopened > 0) unopened.push(`${done.unopened} ${SEALED_NAMES[kind]}`);
  }
  if (unopened.length > 0)
    throw new CommandFailure(
      `these are encrypted with a key that is neither in API_KEY_ENCRYPTION_KEY nor in API_KEY_ENCRYPTION_KEY_OLD, and were left as they are: ${unopened.join(", ")}.`,
    );
}

async function printResetLink({ pool, settings, arguments_: [email = ""] }: Context) {
  const path = await createResetPath(pool, email, new Date());
  if (path === null)
    throw new CommandFailure(`nobody has an account with the email '${email}'.`);
  console.log(new URL(path, settings.NEXTAUTH_URL).href);
}

async function switchOff({ pool, arguments_: [email = ""] }: Context) {
  const user_id = await findPerson(pool, email);
  await switchOffSecondFactor(pool, user_id);
  const event = { user_id, kind: "second_factor.switch_off", address: null } as const;
  await writeAccountEvent(pool, event, new Date());
  console.log("The password alone signs in now.");
}

async function setOperator({ pool, arguments_: [email = "", wanted = ""] }: Context) {
  if (wanted !== "on" && wanted !== "off")
    throw new CommandFailure("write operator <email> on, or operator <email> off.");
  const user_id = await findPerson(pool, email);
  await pool.query("update app_user set is_operator = $2 where id = $1", [
    user_id,
    wanted === "on",
  ]);
  console.log(
    wanted === "on"
      ? "That person verifies businesses at /operator, with two-step verification on."
      : "That person is no operator any more.",
  );
}

async function endAll({ pool, arguments_: [whose = ""] }: Context) {
  if (whose === "") throw new CommandFailure("name whose sessions to end: an email, or --all.");
  const user_id = whose === "--all" ? null : await findPerson(pool, whose);
  const { sessions, people } = await endSessions(pool, user_id, new Date());
  console.log(`Ended: ${sessions} sessions of ${people} people.`);
}

async function findPerson(pool: pg.Pool, email: string): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    "select id from app_user where lower(email) = lower($1)",
    [email],
  );
  const [user] = rows;
  if (!user) throw new CommandFailure(`nobody has an account with the email '${email}'.`);
  return user.id;
}

function help(): string {
  const lines = Object.values(COMMANDS).map(
    ({ usage, summary }) => `  ${usage.padEnd(28)}${summary}`,
  );
  return ["Usage: npm run -s dashboard:admin -- <command>", "", "Commands", ...lines].join(
    "\n",
  );
}

/** Runs the dashboard's command line beside a running Duebook, or with DATABASE_URL. */
await runCommand(async () => {
  const [name, ...arguments_] = process.argv.slice(2);
  if (name === undefined || name === "--help" || arguments_.includes("--help"))
    return console.log(help());
  const command = COMMANDS[name];
  if (!command) throw new CommandFailure(`there is no command '${name}'.\n\n${help()}`);
  const { dataDirectory, port } = readSettings();
  const databases = await openDatabases(dataDirectory, ["dashboard"]);
  const pool = new pg.Pool({ connectionString: databases.urls.dashboard, max: 2 });
  try {
    const { secrets } = await ensureSecrets(dataDirectory, databases);
    const settings = readEnv({
      ...process.env,
      ...secrets,
      NEXTAUTH_URL: process.env["NEXTAUTH_URL"] || `http://localhost:${port}`,
      DATABASE_URL: databases.urls.dashboard,
    });
    await listMissing(pool).catch((error: unknown) => {
      throw new CommandFailure(
        `the database of DATABASE_URL cannot be used: ${systemReasonOf(error)}.`,
      );
    });
    await command.run({ pool, settings, arguments_ });
  } catch (error) {
    throw error instanceof CommandFailure ? error : new CommandFailure(systemReasonOf(error));
  } finally {
    await pool.end();
    await databases.server?.close();
  }
});
