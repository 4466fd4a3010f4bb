/** Ids of runs started in this tab, which continues them without asking. */
export const runsStartedHere = new Set<string>();
