import { useTranslations } from "next-intl";
import { useEffect, useId, useState } from "react";
import { Moment } from "#components/values/moment.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { TextField } from "#components/ui/forms/text-field.tsx";
import { signAgain } from "#lib/deliveries/examine/sign-again.ts";
import type { Examination } from "#lib/deliveries/examine/examine.ts";
import { curlOf } from "#lib/deliveries/rules.ts";

interface SignAgainProps {
  examination: Examination;
  /** The address it went to; empty if unknown. */
  address: string;
}

const LOCAL_ADDRESS = "http://localhost:3000/webhooks";

/** A curl command that sends the delivery again with the current time; it contains no secret. */
export function SignAgain({ examination, address }: SignAgainProps) {
  const t = useTranslations("examine.signAgain");
  const id = useId();
  const [url, setUrl] = useState(address || LOCAL_ADDRESS);
  const [at, setAt] = useState(() => Date.now());
  const [command, setCommand] = useState<string | null>(null);
  useEffect(() => {
    let isStale = false;
    void signAgain(examination, url, at).then((request) => {
      if (!isStale) setCommand(request && curlOf(request));
    });
    return () => {
      isStale = true;
    };
  }, [examination, url, at]);
  return (
    <Card
      aria-labelledby={`${id}-title`}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3 p-4 sm:p-5"
    >
      <CardTitle id={`${id}-title`}>{t("title")}</CardTitle>
      {command === null ? (
        <p className="text-muted">{t("none")}</p>
      ) : (
        <>
          <p className="text-muted">{t("text")}</p>
          <TextField
            id={`${id}-address`}
            label={t("address")}
            hint={t("addressHint")}
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
          />
          <CodeBlock text={command} copyLabel={t("copy")} />
          <div className="flex flex-wrap items-center justify-between gap-2">
            <p className="text-sm text-muted" role="status">
              {t.rich("signedAt", {
                moment: () => <Moment iso={new Date(at).toISOString()} />,
              })}
            </p>
            <Button onClick={() => setAt(Date.now())}>{t("sign")}</Button>
          </div>
        </>
      )}
    </Card>
  );
}
