import { createHash } from "node:crypto";
import { IMAGE_PROBLEMS } from "#contract/field-messages.ts";
import { createTurns } from "#contract/process/turns.ts";
import { detailError, RETRY_SOON_HEADERS } from "../http/errors.ts";

/** Pixels of the longer side of what is stored: sharp where an image fills a phone. */
const MAX_SIDE = 1_200;
const MAX_PIXELS = 50_000_000;
const QUALITY = 82;
const SECONDS = 20;

/** Few images at a time, as a decoded one can need 200 MB; libvips works in threads of its own. */
const inTurn = createTurns({
  atOnce: 2,
  mostWaiting: 20,
  refusal: () =>
    detailError(
      503,
      "Too many images arrive at once. Try again in a moment.",
      RETRY_SOON_HEADERS,
    ),
});

const LOADERS = ["Jpeg", "Png", "Webp"].map((format) => `VipsForeignLoad${format}Buffer`);

interface Encoded {
  digest: string;
  content: Buffer;
  width: number;
  height: number;
}

/**
 * Makes an image a WebP of at most 1,200 pixels a side, upright and without metadata.
 * Its format is recognised by its content.
 * @returns the image with its SHA-256, or in words why it is not accepted
 * @throws ApiError 503 if too many images wait already
 */
export async function encodeImage(content: Buffer): Promise<Encoded | { problem: string }> {
  if (!isImage(content)) return { problem: IMAGE_PROBLEMS.kind };
  return inTurn(async () => {
    const sharp = await loadSharp();
    try {
      // Reads the header alone.
      const { width, height } = await sharp(content, { limitInputPixels: false }).metadata();
      if (width * height > MAX_PIXELS) return { problem: IMAGE_PROBLEMS.pixels };
      const { data, info } = await sharp(content, {
        limitInputPixels: MAX_PIXELS,
        failOn: "error",
      })
        .timeout({ seconds: SECONDS })
        .autoOrient()
        .resize(MAX_SIDE, MAX_SIDE, { fit: "inside", withoutEnlargement: true })
        .webp({ quality: QUALITY })
        .toBuffer({ resolveWithObject: true });
      const digest = createHash("sha256").update(data).digest("hex");
      return { digest, content: data, width: info.width, height: info.height };
    } catch {
      return { problem: IMAGE_PROBLEMS.damaged };
    }
  });
}

/** Whether the content begins like an accepted format; nothing else reaches a decoder. */
function isImage(content: Buffer): boolean {
  const start = content.subarray(0, 16).toString("latin1");
  return (
    start.startsWith("\x89PNG\r\n\x1a\n") ||
    start.startsWith("\xff\xd8\xff") ||
    (start.startsWith("RIFF") && start.slice(8, 12) === "WEBP")
  );
}

/** Loaded with the first image, with no other decoder than those of the accepted formats. */
async function loadSharp() {
  const { default: sharp } = await import("sharp");
  sharp.cache(false);
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: LOADERS });
  return sharp;
}
