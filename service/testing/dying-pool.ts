import type pg from "pg";

/**
 * The pool of a program that is killed before one of its statements: none after it reaches the
 * database, and what is not committed is rolled back.
 * @param statements that run before
 */
export function dyingPool(pool: pg.Pool, statements: number): pg.Pool {
  let left = statements;
  const dying = <Target extends object>(target: Target): Target =>
    new Proxy(target, {
      get(of, name) {
        const value: unknown = Reflect.get(of, name);
        if (typeof value !== "function") return value;
        return (...given: unknown[]) => {
          // Fails as PostgreSQL does when a connection ends, but without its delay.
          const isQuery = name === "query" && given[0] !== "rollback";
          if (isQuery && (left -= 1) < 0) return Promise.reject(new Error("killed"));
          const result: unknown = Reflect.apply(value, of, given);
          return name === "connect" ? (result as Promise<pg.PoolClient>).then(dying) : result;
        };
      },
    });
  return dying(pool);
}
