"use client";

import { useTranslations } from "next-intl";
import { useMemo, useRef, type ReactNode } from "react";
import { useSeller } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { Download, Printer } from "#components/ui/icons.tsx";
import { qrModules, qrPath } from "#components/ui/qr-code.tsx";
import { posterLines } from "#lib/products/shared-link.ts";

/** A4, in millimetres. */
const SHEET = { width: 210, height: 297 };
const CENTER = SHEET.width / 2;
const QR_SIZE = 120;
const PIXELS_A_MILLIMETRE = 8;

interface PosterProps {
  address: string;
  product: string;
  /** Plan and billing period. */
  period: string;
  /** What it costs today, as buyers read it. */
  price: string;
}

/** The shared link as a poster, to print, or to save as a picture. */
export function SharedLinkPoster(poster: PosterProps) {
  const t = useTranslations("products.shared");
  const sheet = useRef<SVGSVGElement>(null);
  const save = (write: (svg: string) => Promise<string> | string, kind: "png" | "svg") => {
    if (sheet.current) void saveSheet(sheet.current, write, `poster.${kind}`);
  };
  return (
    <>
      <Sheet ref={sheet} {...poster} />
      <div className="mt-5 flex flex-wrap justify-center gap-2">
        <Button onClick={() => window.print()}>
          <Printer aria-hidden className="size-4" />
          {t("print")}
        </Button>
        <Button onClick={() => save(pngAddress, "png")}>
          <Download aria-hidden className="size-4" />
          {t("savePng")}
        </Button>
        <Button onClick={() => save(svgAddress, "svg")}>
          <Download aria-hidden className="size-4" />
          {t("saveSvg")}
        </Button>
      </div>
    </>
  );
}

function Sheet({
  ref,
  address,
  product,
  period,
  price,
}: PosterProps & { ref: React.Ref<SVGSVGElement> }) {
  const t = useTranslations("products.shared");
  const { name: seller } = useSeller();
  const modules = useMemo(() => qrModules(address), [address]);
  const products = posterLines(product, 18, 2);
  const [top, step] = [58, 19];
  const afterProduct = top + (products.length - 1) * step;
  return (
    <svg
      ref={ref}
      data-print
      role="img"
      aria-label={[seller, product, period, price, address].join(", ")}
      xmlns="http://www.w3.org/2000/svg"
      viewBox={`0 0 ${SHEET.width} ${SHEET.height}`}
      className="mx-auto w-full max-w-72 rounded border print:fixed print:inset-0 print:m-0 print:size-full print:max-w-none print:border-0"
      fontFamily="system-ui, 'Noto Sans Devanagari', sans-serif"
      textAnchor="middle"
    >
      <rect {...SHEET} fill="#fff" />
      <Line at={28} size={9}>
        {posterLines(seller, 38, 1)[0]}
      </Line>
      {products.map((text, place) => (
        <Line key={place} at={top + place * step} size={17} weight={700}>
          {text}
        </Line>
      ))}
      <Line at={afterProduct + 15} size={9}>
        {posterLines(period, 38, 1)[0]}
      </Line>
      <Line at={afterProduct + 32} size={13} weight={700}>
        {price}
      </Line>
      <g
        transform={`translate(${CENTER - QR_SIZE / 2} 124) scale(${QR_SIZE / modules.length})`}
        shapeRendering="crispEdges"
      >
        <path d={qrPath(modules)} fill="#000" />
      </g>
      <Line at={258} size={10} weight={600}>
        {t("scan")}
      </Line>
      {posterLines(address, 60, 2).map((text, place) => (
        <Line key={place} at={272 + place * 7} size={5}>
          {text}
        </Line>
      ))}
    </svg>
  );
}

interface LineProps {
  /** Millimetres from the top to the base line. */
  at: number;
  /** The size of the letters in millimetres. */
  size: number;
  weight?: number;
  children: ReactNode;
}

const Line = ({ at, size, weight = 400, children }: LineProps) => (
  <text x={CENTER} y={at} fontSize={size} fontWeight={weight} fill="#000">
    {children}
  </text>
);

async function saveSheet(
  sheet: SVGSVGElement,
  write: (svg: string) => Promise<string> | string,
  name: string,
) {
  const link = document.createElement("a");
  link.href = await write(new XMLSerializer().serializeToString(sheet));
  link.download = name;
  link.click();
}

const svgAddress = (svg: string) =>
  `data:image/svg+xml;charset=utf-8,${encodeURIComponent(
    svg.replace("<svg ", `<svg width="${SHEET.width}mm" height="${SHEET.height}mm" `),
  )}`;

async function pngAddress(svg: string): Promise<string> {
  const image = new Image();
  image.src = svgAddress(svg);
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = SHEET.width * PIXELS_A_MILLIMETRE;
  canvas.height = SHEET.height * PIXELS_A_MILLIMETRE;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/png");
}
