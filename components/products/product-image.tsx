"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { cn } from "#lib/cn.ts";
import { initialOf } from "#lib/format/format.ts";

interface ProductImageProps {
  url: string | undefined;
  name: string;
  /** The alternative text; empty if the name is next to the image. */
  alt: string;
  size: number;
  className?: string;
}

/** The product's image, or the initial of its name if the image does not load. */
export function ProductImage({ url, name, alt, size, className }: ProductImageProps) {
  const t = useTranslations("products.details");
  const [isBroken, setIsBroken] = useState(false);
  const frame = cn("product-image", className);
  // The content policy blocks other schemes.
  if (!url || !/^https?:\/\//.test(url) || isBroken) {
    return (
      <span
        role={alt ? "img" : undefined}
        aria-label={alt ? t("imageMissing", { image: alt }) : undefined}
        className={frame}
      >
        <span aria-hidden>{initialOf(name) || "·"}</span>
      </span>
    );
  }
  return (
    // oxlint-disable-next-line next/no-img-element -- any host may hold it, and none is listed for next/image
    <img
      ref={(image) => {
        // The image may have failed to load before hydration.
        if (image?.complete && image.naturalWidth === 0) setIsBroken(true);
      }}
      src={url}
      alt={alt}
      width={size}
      height={size}
      sizes={`${size}px`}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setIsBroken(true)}
      className={frame}
    />
  );
}
