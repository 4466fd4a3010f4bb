import { html, type Html } from "../../http/html.ts";
import { textByName, type PageReader } from "../reader.ts";
import { noticeBox } from "../page.ts";
import type { PeriodAgain } from "./start.ts";

/** The part of an ended subscription's page that starts it again. */
export function againForm(
  id: string,
  { periods, outcome }: { periods: PeriodAgain[]; outcome: string },
  { texts, own, money }: PageReader,
): Html {
  const name = ({ plan_name, label }: PeriodAgain) =>
    [plan_name, label].filter(Boolean).join(" · ");
  const price = ({ currency, total }: PeriodAgain) => money(currency, total);
  const [only, ...others] = periods;
  return html`${noticeBox(textByName(texts.again.outcome, outcome))}
    <form method="post" action="${own(`/pay/${id}/again`)}">
      ${
        only && others.length === 0
          ? html`<input type="hidden" name="pbp_id" value="${only.pbp_id}" />
              <dl class="lines">
                <div class="total">
                  <dt>${name(only)}</dt>
                  <dd>${price(only)}</dd>
                </div>
              </dl>`
          : html`<fieldset>
              <legend>${texts.again.choose}</legend>
              ${periods.map(
                (period) =>
                  html`<label class="choice"
                    ><input type="radio" name="pbp_id" value="${period.pbp_id}" required />
                    ${name(period)} · ${price(period)}</label
                  >`,
              )}
            </fieldset>`
      }
      <button>${texts.again.start}</button>
      <p class="hint">${texts.again.hint}</p>
    </form>`;
}
