import { readableOn, textOn } from "#contract/color.ts";
import { queryRow, type Database } from "../db/database.ts";
import { html, type Html } from "../http/html.ts";
import { ownPathOf } from "../media/store.ts";
import type { PageReader } from "./reader.ts";

/** The look of the business apart from its name; null where nothing was chosen. */
export interface Branding {
  /** A color, #rrggbb. */
  color: string | null;
  logo: string | null;
  support_email: string | null;
  support_phone: string | null;
  pay_otherwise: string | null;
  /** The first image of the product. */
  product_image: string | null;
}

export async function selectBranding(
  database: Database,
  sellerId: number,
  productId: string | null,
): Promise<Branding> {
  const row = await queryRow<Branding>(
    database,
    `select checkout_color as color, checkout_logo as logo, support_email, support_phone,
       pay_otherwise,
       (select image from product_image where seller_id = $1 and product_id = $2
        order by image_order limit 1) as product_image
     from seller where seller_id = $1`,
    [sellerId, productId],
  );
  if (!row) throw new Error("the seller of a checkout is missing");
  return row;
}

/** An image of this service; others would tell their hosts about the buyer. */
export function ownImage(url: string | null, kind: "logo" | "product"): Html | null {
  const path = url && ownPathOf(url);
  return path ? html`<img class="${kind}" src="${path}" alt="" />` : null;
}

/**
 * The backgrounds of checkout.css on which a link is hardest to read: around the card, and of the
 * card.
 */
const GROUND = { light: "#f6f6f4", dark: "#1b1d21" };

const PATH = "/pay-assets/color/";

/**
 * The link to a style sheet of its own, because the content policy allows no styles inside a page.
 */
export const colorSheetLink = ({ color }: Branding): Html | null =>
  color === null
    ? null
    : html`<link rel="stylesheet" href="${`${PATH}${color.slice(1)}.css`}" />`;

/** The style sheet of a color, by its file name; null for any other name. */
export function colorSheet(file: string): string | null {
  const [, digits] = /^([0-9a-f]{6})\.css$/.exec(file) ?? [];
  if (digits === undefined) return null;
  const color = `#${digits}`;
  const rules = (ground: string) =>
    `:root{--brand:${color};--on-brand:${textOn(color)};--accent:${readableOn(color, ground)}}`;
  return `${rules(GROUND.light)}\n@media (prefers-color-scheme: dark){${rules(GROUND.dark)}}\n`;
}

/** The ways to pay without this page. */
export const otherWays = ({ pay_otherwise }: Branding, { texts }: PageReader): Html | null =>
  pay_otherwise === null
    ? null
    : html`<section class="otherwise" aria-labelledby="otherwise">
        <h2 id="otherwise">${texts.otherWays}</h2>
        <p>${pay_otherwise}</p>
      </section>`;

export function supportFooter(
  { support_email: email, support_phone: phone }: Branding,
  { texts }: PageReader,
): Html | null {
  if (email === null && phone === null) return null;
  return html`<footer class="support">
    <p>${texts.questions}</p>
    ${email !== null && html`<p><a href="${`mailto:${email}`}">${email}</a></p>`}
    ${phone !== null && html`<p><a href="${`tel:${phone.replace(/[^\d+]/g, "")}`}">${phone}</a></p>`}
  </footer>`;
}
