import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { TEST_SECRETS_KEY } from "./service.ts";

const SERVICE = join(import.meta.dirname, "..");
const LEAVE_WITH_PARENT = join(SERVICE, "../scripts/process/leave-with-parent.ts");
const FAULT = /"level":"?(50|error)/;
const READY = /Server listening at (http:[^"\s]+)|the worker is ready/;
/**
 * The timeout of deliveries in seconds; the leases of a killed worker expire after twice as long.
 */
const WEBHOOK_TIMEOUT = "2";

export type ProgramRole = "service" | "service and worker" | "worker";

/** A process of the service or its worker, on a port of its own. */
export class ServiceProgram {
  readonly role: ProgramRole;
  /** Resolves when the process is ready or has ended. */
  readonly ready: Promise<unknown>;
  readonly ended: Promise<unknown>;
  isReady = false;
  url = "";
  private readonly child: ChildProcess;
  private isWantedDead = false;
  complaint = "";

  constructor(
    role: ProgramRole,
    databaseUrl: string,
    environment: Record<string, string> = {},
    /** Called with each line that it writes. */
    onLine: (line: string) => void = () => {},
  ) {
    this.role = role;
    const program = join(SERVICE, role === "worker" ? "worker.ts" : "main.ts");
    this.child = spawn(process.execPath, ["--import", LEAVE_WITH_PARENT, program], {
      env: {
        NODE_ENV: "production",
        TZ: "UTC",
        SUPERVISOR_PID: String(process.pid),
        SERVICE_DATABASE_URL: databaseUrl,
        SERVICE_PORT: "0",
        SERVICE_SECRETS_KEY: TEST_SECRETS_KEY.toString("base64"),
        SERVICE_WORKER: role === "service" ? "elsewhere" : "here",
        SERVICE_WEBHOOK_TIMEOUT: WEBHOOK_TIMEOUT,
        SERVICE_RATE_LIMIT: "0",
        SERVICE_PRIVATE_TARGETS: "allow",
        ...environment,
      },
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.child.stderr?.on("data", (text: Buffer) => {
      this.complaint += text.toString();
      onLine(text.toString());
    });
    this.ended = new Promise((done) => this.child.once("exit", done));
    const works = new Promise<void>((done) => {
      if (!this.child.stdout) return;
      createInterface({ input: this.child.stdout }).on("line", (line) => {
        onLine(line);
        if (FAULT.test(line)) this.complaint += `${line}\n`;
        const [said, url = ""] = READY.exec(line) ?? [];
        if (!said) return;
        this.url = url;
        this.isReady = true;
        done();
      });
    });
    this.ready = Promise.race([works, this.ended]);
  }

  /**
   * Whether the process is ready; false from the moment it is asked to end.
   * @throws Error if it has ended by itself
   */
  get works(): boolean {
    const { exitCode, signalCode } = this.child;
    if (!this.isWantedDead && (exitCode ?? signalCode) !== null)
      throw new Error(`the ${this.role} ended by itself: ${this.complaint}`);
    return this.isReady && !this.isWantedDead;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async end(signal: "SIGKILL" | "SIGTERM" = "SIGKILL") {
    this.isWantedDead = true;
    this.child.kill(signal);
    await this.ended;
    return this.child.exitCode;
  }
}

/** Several processes over one database; killed ones are replaced. */
export class ProcessFleet {
  readonly programs: ServiceProgram[];
  private readonly databaseUrl: string;
  private isClosed = false;

  constructor(databaseUrl: string, roles: ProgramRole[]) {
    this.databaseUrl = databaseUrl;
    this.programs = roles.map((role) => new ServiceProgram(role, databaseUrl));
  }

  async ready(): Promise<void> {
    while (!this.programs.every((program) => program.works))
      await Promise.all(this.programs.map((program) => program.ready));
  }

  /** The ready services; waits until there is one. */
  async urls(): Promise<string[]> {
    for (;;) {
      if (this.isClosed) throw new Error("the processes were ended");
      const services = this.programs.filter((program) => program.role !== "worker");
      const urls = services.filter((program) => program.works).map((program) => program.url);
      if (urls.length > 0) return urls;
      await Promise.race(services.map((program) => program.ready));
    }
  }

  get complaints(): string {
    return this.programs.map((program) => program.complaint).join("");
  }

  /** Kills the process with SIGKILL and starts another at once. */
  async replace(program: ServiceProgram): Promise<void> {
    const place = this.programs.indexOf(program);
    const killed = program.end();
    this.programs[place] = new ServiceProgram(program.role, this.databaseUrl);
    await killed;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all(this.programs.map((program) => program.end()));
  }
}
