import { getMessages } from "next-intl/server";
import type { ReactNode } from "react";
import type { Namespace } from "#lib/i18n/translate.ts";
import { MoreWords } from "./more-words.tsx";

interface WordsProps {
  of: Namespace[];
  children: ReactNode;
}

/** Sends the words of these namespaces to the browser, beside those from further up; no others go there. */
export async function Words({ of, children }: WordsProps) {
  const messages = await getMessages();
  const sent = Object.fromEntries(of.map((namespace) => [namespace, messages[namespace]]));
  return <MoreWords json={JSON.stringify(sent)}>{children}</MoreWords>;
}
