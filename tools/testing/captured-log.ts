import { vi } from "vitest";

/** The lines that this process logs while it runs the function. */
export async function logLinesOf(act: () => unknown): Promise<Record<string, unknown>[]> {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    await act();
    const text = write.mock.calls.map(([line]) => String(line)).join("");
    return text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  } finally {
    write.mockRestore();
  }
}
