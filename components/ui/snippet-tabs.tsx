"use client";

import { useState } from "react";
import { CodeBlock } from "./code-block.tsx";

interface SnippetTabsProps<Language extends string> {
  snippets: readonly [Snippet<Language>, ...Snippet<Language>[]];
  /** Names the choice of a language. */
  label: string;
  nameOf: (language: Language) => string;
  copyLabel: string;
}

interface Snippet<Language> {
  language: Language;
  code: string;
}

/** The same code in several languages, one of which is shown. */
export function SnippetTabs<Language extends string>({
  snippets,
  label,
  nameOf,
  copyLabel,
}: SnippetTabsProps<Language>) {
  const [language, setLanguage] = useState(snippets[0].language);
  const { code } = snippets.find((snippet) => snippet.language === language) ?? snippets[0];
  return (
    <div className="grid min-w-0 gap-2">
      <div role="group" aria-label={label} className="flex flex-wrap gap-1">
        {snippets.map((snippet) => (
          <button
            key={snippet.language}
            type="button"
            aria-pressed={snippet.language === language}
            onClick={() => setLanguage(snippet.language)}
            className="h-7 rounded px-2.5 text-sm text-muted hover:text-ink aria-pressed:bg-sunken aria-pressed:font-medium aria-pressed:text-ink max-md:h-11"
          >
            {nameOf(snippet.language)}
          </button>
        ))}
      </div>
      <CodeBlock text={code} copyLabel={copyLabel} />
    </div>
  );
}
