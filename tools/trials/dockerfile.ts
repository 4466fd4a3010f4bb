/** One instruction of a Dockerfile, its continued lines joined. */
interface Instruction {
  name: string;
  text: string;
}

export interface DockerfileStage {
  name: string;
  from: string;
  instructions: Instruction[];
}

/** The stages of a Dockerfile, in order. @throws Error at syntax that our Dockerfile does not use */
export function stagesOf(text: string): DockerfileStage[] {
  const stages: DockerfileStage[] = [];
  const lines = text
    .replaceAll(/\\\n/g, " ")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"));
  for (const line of lines) {
    const [, name = "", rest = ""] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    const stage = /^(\S+) AS (\S+)$/.exec(rest);
    if (name === "FROM" && stage)
      stages.push({ from: stage[1] ?? "", name: stage[2] ?? "", instructions: [] });
    else if (KNOWN.has(name)) stages.at(-1)?.instructions.push({ name, text: rest });
    else throw new Error(`'${line}' is not understood`);
  }
  return stages;
}

const KNOWN = new Set("WORKDIR ENV COPY RUN USER ENTRYPOINT CMD EXPOSE HEALTHCHECK".split(" "));

/** The instructions of a stage and of the stages that it is based on, the base first. */
export function instructionsOfStage(
  stages: readonly DockerfileStage[],
  name: string,
): Instruction[] {
  const stage = stages.find((one) => one.name === name);
  return stage ? [...instructionsOfStage(stages, stage.from), ...stage.instructions] : [];
}

/** The words of a JSON array in an instruction, such as `["node", "service/main.ts"]`. */
export const parseWords = (text: string) =>
  JSON.parse(text.slice(text.indexOf("["))) as string[];

/** Parses `A=1 B=2`; values contain no blanks. */
export const variablesOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split(/\s+/).map((pair) => {
      const at = pair.indexOf("=");
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
