/** Browsers and fetch refuse to connect to the ports on the fetch standard's list. */
export async function isBlocked(port: number): Promise<boolean> {
  try {
    await fetch(`http://127.0.0.1:${port}/`, {
      method: "HEAD",
      signal: AbortSignal.timeout(500),
    });
    return false;
  } catch (error) {
    return (
      error instanceof Error &&
      error.cause instanceof Error &&
      error.cause.message === "bad port"
    );
  }
}

export const blockedPortMessage = (variable: string, port: number) =>
  `no browser opens port ${port}. Set ${variable} to another one.`;
