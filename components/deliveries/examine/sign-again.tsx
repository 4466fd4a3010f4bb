import { useTranslations } from "next-intl";
import { useEffect, useId, useState } from "react";
import { Moment } from "#components/values/moment.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { TextField } from "#components/ui/forms/text-field.tsx";
import { signAnew } from "#lib/deliveries/doctor/repeating/rules.ts";
import type { Examination } from "#lib/deliveries/doctor/rules.ts";
import { curlOf } from "#lib/deliveries/rules.ts";

interface DoctorRepeatProps {
  examination: Examination;
  /** Where it went, as far as that is known. */
  address: string;
}

const OWN_MACHINE = "http://localhost:3000/webhooks";

/** A command that sends the delivery once more with the time of now; it bears no secret. */
export function DoctorRepeat({ examination, address }: DoctorRepeatProps) {
  const t = useTranslations("doctor.repeat");
  const id = useId();
  const [url, setUrl] = useState(address || OWN_MACHINE);
  const [at, setAt] = useState(() => Date.now());
  const [command, setCommand] = useState<string | null>(null);
  useEffect(() => {
    let isLate = false;
    void signAnew(examination, url, at).then((request) => {
      if (!isLate) setCommand(request && curlOf(request));
    });
    return () => {
      isLate = true;
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
