import { getLocale, getMessages } from "next-intl/server";
import type { ReactNode } from "react";
import PAGE_WORDS from "#lib/i18n/page-words.json";
import { MessagesProvider } from "#components/context/messages-provider.tsx";
import { toPropJson } from "#lib/query/fetch-json.ts";

type PageName = keyof typeof PAGE_WORDS;

interface ClientMessagesProps {
  of: PageName;
  children: ReactNode;
}

/** Sends only the words listed under this name, in addition to those of the layouts above. */
export async function ClientMessages({ of, children }: ClientMessagesProps) {
  const name = `${await getLocale()} ${of}`;
  const json = texts.get(name) ?? toPropJson(pick(await getMessages(), PAGE_WORDS[of]));
  texts.set(name, json);
  return <MessagesProvider json={json}>{children}</MessagesProvider>;
}

/** The layout of a segment whose pages, loading states and errors need these words. */
export const messagesLayout = (of: PageName) =>
  function MessagesLayout({ children }: { children: ReactNode }) {
    return <ClientMessages of={of}>{children}</ClientMessages>;
  };

/** The JSON of each language and name. */
const texts = new Map<string, string>();

interface Group {
  [name: string]: Group;
}

/** The messages at these paths, in their groups. */
function pick(messages: object, paths: readonly string[]): object {
  const picked: Group = {};
  for (const path of paths) {
    const groups = path.split(".");
    const last = groups.pop() ?? "";
    let [from, to] = [messages as Group, picked];
    for (const group of groups) {
      from = from[group] ?? {};
      to = to[group] ??= {};
    }
    if (from[last] !== undefined) to[last] = from[last];
  }
  return picked;
}
