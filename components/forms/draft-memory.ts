const PREFIX = "duebook.draft.";
const DAY_MS = 24 * 3_600_000;

export interface Draft<Content> {
  /** When the draft was saved, in milliseconds since 1970. */
  saved_at: number;
  content: Content;
}

/** Drafts belong to one person and form, so that the next person at the same screen does not see them. */
interface DraftKey {
  person: string;
  form: string;
}

const keyOf = ({ person, form }: DraftKey) => `${PREFIX}${person}.${form}`;

/** Stores a draft for this tab only. Does nothing if the browser's storage is disabled or full. */
export function saveDraft(key: DraftKey, content: object, now = Date.now()) {
  attempt(() => sessionStorage.setItem(keyOf(key), JSON.stringify({ saved_at: now, content })));
}

/** The draft, if one was saved within the last day, else null. Deletes other people's drafts. */
export function recallDraft<Content>(key: DraftKey, now = Date.now()): Draft<Content> | null {
  forgetDrafts((name) => !name.startsWith(keyOf({ ...key, form: "" })));
  const text = attempt(() => sessionStorage.getItem(keyOf(key)));
  const draft = text ? attempt(() => JSON.parse(text) as Draft<Content>) : null;
  if (draft && now - draft.saved_at < DAY_MS) return draft;
  forgetDraft(key);
  return null;
}

export function forgetDraft(key: DraftKey) {
  attempt(() => sessionStorage.removeItem(keyOf(key)));
}

/** Deletes the drafts whose storage key `isMeant` accepts; by default all, for signing out. */
export function forgetDrafts(isMeant: (name: string) => boolean = () => true) {
  attempt(() => {
    for (const name of Object.keys(sessionStorage))
      if (name.startsWith(PREFIX) && isMeant(name)) sessionStorage.removeItem(name);
  });
}

function attempt<Value>(work: () => Value): Value | null {
  try {
    return work();
  } catch {
    return null;
  }
}
