import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { SelectField } from "#components/ui/forms/select-field.tsx";
import { REACHES, SAMPLE, type Reach } from "#lib/search-index/compare/differences.ts";
import type { Drive } from "#components/connection/compare/use-compare.ts";

export function StartCheck({ drive, isAgain }: { drive: Drive; isAgain: boolean }) {
  const t = useTranslations("reconciliation.start");
  const [reach, setReach] = useState<Reach>("sample");
  return (
    <Card className="flex flex-wrap items-start gap-x-4 gap-y-3 p-4 sm:p-5">
      <div className="min-w-0 flex-1 basis-80">
        <SelectField
          id="reach"
          label={t("reach")}
          hint={t(`hints.${reach}`, { count: SAMPLE })}
          value={reach}
          onChange={({ target }) =>
            setReach(REACHES.find((known) => known === target.value) ?? "sample")
          }
        >
          {REACHES.map((one) => (
            <option key={one} value={one}>
              {t(`reaches.${one}`)}
            </option>
          ))}
        </SelectField>
      </div>
      <Button
        look="primary"
        isPending={drive.isStarting || drive.isDriving}
        className="max-sm:w-full sm:mt-6"
        onClick={() => void drive.start(reach)}
      >
        {t(isAgain ? "again" : "submit")}
      </Button>
    </Card>
  );
}
