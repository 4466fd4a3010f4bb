import type { CharacterCommand } from "#components/shell/keys.ts";
import {
  SHORTCUT_PLACES,
  canOpenPlace,
  PLACES,
  type PlaceId,
} from "#components/context/places.ts";
import type { Role } from "#lib/auth/permissions.ts";
import { MODES, scopePath, type Mode, type Scope } from "#lib/scope.ts";
import { pathInOtherMode } from "#lib/connection/rules.ts";
import { customerPath } from "#lib/customers/search.ts";
import { LANGUAGE_NAMES, LANGUAGES, type Language } from "#lib/i18n/languages.ts";
import type { Translate } from "#lib/i18n/message.ts";
import type { Matchable } from "#lib/text/match-text.ts";
import { productPath } from "#lib/products/search.ts";
import { viewPath, type View } from "#lib/subscriptions/views/rules.ts";
import {
  STATUS_FILTERS,
  subscriptionPath,
  subscriptionsPath,
} from "#lib/subscriptions/search.ts";
import type { PaletteGroup } from "./palette-search.ts";
import type { RecentRecord, RecordKind } from "./recent-records.ts";

export interface PaletteEntry extends Matchable {
  id: string;
  /** The kind of entry, which determines its icon. */
  kind: PlaceId | RecordKind | "list" | "view" | "mode" | "language" | "keys" | "signOut";
  command?: CharacterCommand;
  /** The entry's link or action. */
  does:
    | { kind: "go"; href: string }
    | { kind: "view"; view: View; href: string }
    | { kind: "speak"; language: Language }
    | { kind: "listKeys" }
    | { kind: "signOut" };
}

export interface PaletteContext {
  t: Translate<"keyboard">;
  scope: Scope;
  role: Role;
  language: Language;
  /** The path below the seller and mode. */
  path: string;
  views: readonly View[];
}

// Synonyms in both languages, searched whichever language is shown.
const ALSO: Record<
  PlaceId | (typeof STATUS_FILTERS)[number] | Mode | "language" | "keys" | "signOut",
  string
> = {
  overview: "home start dashboard सारांश गृह",
  collection: "collect due remind reminders dunning overdue grace असुली ताकेता सम्झाउनुहोस्",
  subscriptions: "list all सदस्यता सूची",
  customers: "buyers clients people ग्राहक",
  products: "plans prices catalogue catalog उत्पादन योजना मूल्य",
  payments: "paid received money fee net proof भुक्तानी प्रमाण शुल्क",
  reports: "figures metrics numbers charts revenue mrr statistics प्रतिवेदन तथ्याङ्क आम्दानी चार्ट",
  notifications: "bell news payments failures सूचना घण्टी",
  sandbox: "clock simulate scenario time स्यान्डबक्स समय",
  settings: "account profile password sessions preferences सेटिङ खाता पासवर्ड",
  notices: "email push morning alerts browsers app सूचना बिहान इमेल",
  webhooks: "events endpoints hooks वेबहुक घटना",
  deliveries: "events webhooks sent received examine signature attempts डेलिभरी घटना जाँच",
  bulk: "many runs together एकैपटक धेरै",
  import: "upload bring buyers spreadsheet excel csv xlsx paste आयात ग्राहक स्प्रेडसिट",
  views: "lists filters bookmarks saved दृश्य सूची छनोट",
  seller: "business company time zone currency विक्रेता व्यवसाय",
  messages: "templates sms whatsapp viber email reminder सन्देश",
  channels: "sms whatsapp mail email gateway smtp provider माध्यम इमेल",
  sentMessages: "sent messages outbox delivered codes receipts पठाइएका सन्देश",
  schedule: "reminders schedule steps automatic dunning सम्झाउनुहोस् तालिका चरण",
  payAccounts:
    "esewa khalti connectips fonepay stripe card wallet provider gateway भुक्तानी तरिका वालेट",
  connection: "api key service kyc search index compare rebuild की जडान दाँज्नुहोस्",
  apiKeys: "api keys token secret roll revoke leaked की फेर्नुहोस् बन्द",
  team: "members invite roles people टोली सदस्य",
  auditLog: "audit log history who अभिलेख",
  create: "add create checkout link sell नयाँ सदस्यता थप्नुहोस्",
  active: "paid running सक्रिय",
  due: "unpaid overdue late owed renew बक्यौता तिर्न बाँकी",
  pending_checkout: "waiting unpaid new open चेकआउट बाँकी",
  pending_cancellation: "ending cancelling रद्द हुन बाँकी",
  cancelled: "canceled ended रद्द",
  inactive: "ended lapsed expired निष्क्रिय",
  test: "mode sandbox परीक्षण मोड",
  live: "mode production real लाइभ मोड",
  language: "language english nepali भाषा अंग्रेजी नेपाली",
  keys: "shortcuts keyboard help hotkeys किबोर्ड सर्टकट",
  signOut: "log out leave exit साइन आउट बाहिर",
};

export type EntryGroup = PaletteGroup<
  PaletteEntry,
  "recent" | "pasted" | "actions" | "records" | "pages" | "lists" | "desk"
>;

/** All entries that the role allows, shown before the user types. */
export function paletteGroups(reader: PaletteContext, recent: RecentRecord[]): EntryGroup[] {
  return [
    { id: "recent", items: recent.map((record) => recordEntry(reader, record)) },
    { id: "actions", items: actionEntries(reader) },
    { id: "pages", items: pageEntries(reader) },
    { id: "lists", items: [...viewEntries(reader), ...listEntries(reader)] },
    { id: "desk", items: deskEntries(reader) },
  ];
}

const RECORD_PATHS: Record<RecordKind, (scope: Scope, id: string) => string> = {
  subscription: subscriptionPath,
  customer: (scope, id) => customerPath(scope, { id }),
  product: productPath,
};

export function recordEntry(
  { t, scope }: Pick<PaletteContext, "t" | "scope">,
  { kind, id, title, note }: RecentRecord,
): PaletteEntry {
  const href = RECORD_PATHS[kind](scope, id);
  const shown = [t(`kinds.${kind}`), note].filter(Boolean).join(" · ");
  return { id: `${kind}-${id}`, kind, title, note: shown, does: { kind: "go", href } };
}

/** The entry for a pasted id or link; only its page can tell whether the subscription exists. */
export function pastedEntry({ t, scope }: PaletteContext, id: string): PaletteEntry {
  const record = { kind: "subscription", id, title: t("openSubscription"), note: id } as const;
  return recordEntry({ t, scope }, record);
}

function actionEntries({ t, scope, role }: PaletteContext): PaletteEntry[] {
  if (!canOpenPlace("create", role, scope.mode)) return [];
  return [placeEntry("create", t("pages.create"), scope)];
}

function pageEntries({ t, scope, role }: PaletteContext): PaletteEntry[] {
  return (Object.keys(PLACES) as PlaceId[])
    .filter((id) => id !== "create" && canOpenPlace(id, role, scope.mode))
    .map((id) => placeEntry(id, t(`pages.${id}`), scope));
}

function placeEntry(id: PlaceId, title: string, scope: Scope): PaletteEntry {
  const href = scopePath(scope, PLACES[id].path);
  return {
    id,
    kind: id,
    title,
    words: ALSO[id],
    ...(hasKeys(id) && { command: id }),
    does: { kind: "go", href },
  };
}

const hasKeys = (id: PlaceId): id is "create" | (typeof SHORTCUT_PLACES)[number] =>
  id === "create" || SHORTCUT_PLACES.some((known) => known === id);

function viewEntries({ t, scope, views }: PaletteContext): PaletteEntry[] {
  return views.map((view) => ({
    id: `view-${view.id}`,
    kind: "view",
    title: view.name,
    note: t(view.is_shared ? "kinds.sharedView" : "kinds.view"),
    words: ALSO.views,
    does: { kind: "view", view, href: viewPath(scope, view) },
  }));
}

function listEntries({ t, scope, role }: PaletteContext): PaletteEntry[] {
  if (!canOpenPlace("subscriptions", role, scope.mode)) return [];
  return STATUS_FILTERS.map((status) => ({
    id: `list-${status}`,
    kind: "list",
    title: t(`lists.${status}`),
    words: `${ALSO[status]} ${t("groups.lists")}`,
    does: { kind: "go", href: subscriptionsPath(scope, { status }) },
  }));
}

function deskEntries({ t, scope, language, path }: PaletteContext): PaletteEntry[] {
  const modes = MODES.filter((mode) => mode !== scope.mode).map((mode): PaletteEntry => {
    const href = scopePath({ ...scope, mode }, pathInOtherMode(path));
    return {
      id: mode,
      kind: "mode",
      title: t(`modes.${mode}`),
      words: ALSO[mode],
      does: { kind: "go", href },
    };
  });
  const languages = LANGUAGES.filter((one) => one !== language).map((one): PaletteEntry => {
    const title = t("speak", { language: LANGUAGE_NAMES[one] });
    const does = { kind: "speak", language: one } as const;
    return { id: one, kind: "language", title, words: ALSO.language, does };
  });
  return [
    ...modes,
    ...languages,
    {
      id: "keys",
      kind: "keys",
      title: t("keys.title"),
      words: ALSO.keys,
      command: "keys",
      does: { kind: "listKeys" },
    },
    {
      id: "signOut",
      kind: "signOut",
      title: t("signOut"),
      words: ALSO.signOut,
      does: { kind: "signOut" },
    },
  ];
}
