import type pg from "pg";

/** The dependencies of routes and background jobs; each program builds them once. */
export interface ServiceContext {
  pool: pg.Pool;
  mode: "test" | "live";
  /** The clock is passed in, so that sandbox time can move and tests need not wait. */
  now: () => Date;
  publicUrl: string;
  /** Encrypts signing secrets and providers' settings, 32 bytes; without it none can be stored. */
  secretsKey?: Buffer | undefined;
  /** Earlier keys, which still decrypt. */
  oldSecretsKeys?: readonly Buffer[];
  /** The token by which an installation opens accounts; without it nobody can. */
  accountsToken?: string | undefined;
  /** The token of the operator, who verifies accounts; without it only the command line does. */
  operatorToken?: string | undefined;
  /** Milliseconds without activity after which a checkout counts as abandoned; default one day. */
  abandonedAfter?: number;
  /** The most messages of a seller in an hour, not counting codes; 0, the default, for no limit. */
  messagesPerHour?: number;
  /** Whether sandbox deliveries may reach the service's own network (ADR 0224). */
  privateTargets?: boolean;
}
