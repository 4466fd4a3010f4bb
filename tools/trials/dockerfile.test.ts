import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { stagesOf, variablesOf, instructionsOfStage, parseWords } from "./dockerfile.ts";

test("a stage of the Dockerfile has the instructions of its base stage and its own", () => {
  const stages = stagesOf(
    'FROM node:26 AS base\nWORKDIR /app\n# why\nFROM base AS program\nENV A=1 \\\n  B=2\nCMD ["node", "a.ts"]\n',
  );
  expect(instructionsOfStage(stages, "program").map(({ name }) => name)).toEqual([
    "WORKDIR",
    "ENV",
    "CMD",
  ]);
  expect(variablesOf("A=1   B=2")).toEqual({ A: "1", B: "2" });
  expect(parseWords('--interval=10s CMD ["node", "a.ts"]')).toEqual(["node", "a.ts"]);
  expect(() => stagesOf("FROM a AS b\nVOLUME /data")).toThrow("VOLUME");
});

test("the dashboard and the service in the image run without root privileges and have a health check", () => {
  const stages = stagesOf(readFileSync("Dockerfile", "utf8"));
  for (const name of ["dashboard", "service"]) {
    const instructions = instructionsOfStage(stages, name);
    expect(instructions.findLast((one) => one.name === "USER")?.text).toBe("node");
    expect(instructions.findLast((one) => one.name === "HEALTHCHECK")?.text).toContain(
      "/readyz",
    );
  }
});
