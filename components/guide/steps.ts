/** The five steps of the tour and the quick guide. */
export const STEPS = ["due", "create", "send", "change", "keys"] as const;
export type GuideStep = (typeof STEPS)[number];

/** The element of the overview that each step outlines, if the role and the screen have it. */
export const TARGETS: Record<GuideStep, string> = {
  due: 'main a[href$="?status=due"]',
  create: 'nav a[href$="/subscriptions/new"]',
  send: "main li button",
  change: 'nav a[href$="/subscriptions"]',
  keys: 'header [aria-haspopup="menu"]:last-of-type',
};
