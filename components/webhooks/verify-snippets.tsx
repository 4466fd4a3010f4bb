"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { SNIPPETS } from "#contract/verify-snippets.ts";

export function VerifySnippets() {
  const t = useTranslations("webhooks");
  const [language, setLanguage] = useState<string>(SNIPPETS[0].language);
  const { code } = SNIPPETS.find((snippet) => snippet.language === language) ?? SNIPPETS[0];
  return (
    <div className="grid min-w-0 gap-2">
      <div role="group" aria-label={t("verify.language")} className="flex gap-1">
        {SNIPPETS.map((snippet) => (
          <button
            key={snippet.language}
            type="button"
            aria-pressed={snippet.language === language}
            onClick={() => setLanguage(snippet.language)}
            className="h-7 rounded px-2.5 text-sm text-muted hover:text-ink aria-pressed:bg-sunken aria-pressed:font-medium aria-pressed:text-ink max-md:h-11"
          >
            {t(`verify.languages.${snippet.language}`)}
          </button>
        ))}
      </div>
      <CodeBlock text={code} copyLabel={t("verify.copy")} />
    </div>
  );
}
