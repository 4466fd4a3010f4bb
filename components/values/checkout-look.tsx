import { useTranslations } from "next-intl";
import { readableOn, textOn } from "#contract/color.ts";
import { DEFAULT_COLOR } from "#lib/format/checkout-look.ts";

interface CheckoutHeadingProps {
  seller: string;
  logo?: string | null | undefined;
  image?: string | undefined;
  product: string;
  plan: string;
}

/** The head of a checkout as buyers see it. */
export function CheckoutHeading({ seller, logo, image, product, plan }: CheckoutHeadingProps) {
  return (
    <div className="grid gap-2">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs wrap-anywhere text-muted">
        {logo && (
          // oxlint-disable-next-line next/no-img-element -- it is in its final size already, at the billing service
          <img
            src={logo}
            alt=""
            className="h-8 max-w-36 rounded object-contain dark:bg-white dark:p-0.5"
          />
        )}
        {seller}
      </p>
      <div className="flex items-center gap-3">
        {image && (
          // oxlint-disable-next-line next/no-img-element -- it is in its final size already, at the billing service
          <img
            src={image}
            alt=""
            className="size-14 shrink-0 rounded border bg-sunken object-cover"
          />
        )}
        <div className="min-w-0">
          <p className="font-medium wrap-anywhere">{product}</p>
          <p className="wrap-anywhere text-muted">{plan}</p>
        </div>
      </div>
    </div>
  );
}

const CARD = "#ffffff";

/** The pay button of a checkout in the color of the business, as a picture that cannot be pressed. */
export function PayButton({ color }: { color: string | null | undefined }) {
  const t = useTranslations("ui");
  const background = color ?? DEFAULT_COLOR;
  return (
    <p
      // The content policy forbids style attributes in the server's HTML.
      ref={(element) => {
        if (!element) return;
        const borderColor = readableOn(background, CARD);
        Object.assign(element.style, { background, color: textOn(background), borderColor });
      }}
      className="flex min-h-10 items-center justify-center rounded-md border px-3 text-center font-semibold"
    >
      {t("payButton")}
    </p>
  );
}
