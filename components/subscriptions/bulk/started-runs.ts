/** Ids of runs started in this tab, which continues them without asking. */
export const startedRuns = new Set<string>();
