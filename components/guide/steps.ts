/** The desk in five steps: the tour's, and the quick guide's. */
export const STEPS = ["due", "create", "send", "change", "keys"] as const;
export type Step = (typeof STEPS)[number];

/** What a step of the tour points at on the overview; nothing where the role or the screen has none. */
export const TARGETS: Record<Step, string> = {
  due: 'main a[href$="?status=due"]',
  create: 'nav a[href$="/subscriptions/new"]',
  send: "main li button",
  change: 'nav a[href$="/subscriptions"]',
  keys: 'header [aria-haspopup="menu"]:last-of-type',
};
