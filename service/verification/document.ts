import type { DocumentType } from "#contract/names.ts";

const PNG = Buffer.from("89504e470d0a1a0a", "hex");
const JPEG = Buffer.from("ffd8ff", "hex");
/** How many bytes at the end of a PDF must contain its end mark. */
const PDF_END_WITHIN = 1_024;
/** Pixels of an image; a photo of a modern phone has 12 to 50 million. */
const MAX_PIXELS = 60_000_000;

/**
 * Recognises a document's type by its content, whatever its name says.
 * @returns its type, or in words why it is not accepted
 */
export function recognizeDocument(
  content: Buffer,
): { media_type: DocumentType } | { problem: string } {
  if (content.subarray(0, 5).toString("latin1") === "%PDF-") {
    const end = content.subarray(-PDF_END_WITHIN).toString("latin1");
    return end.includes("%%EOF")
      ? { media_type: "application/pdf" }
      : { problem: "This PDF is incomplete. Save it again and upload that." };
  }
  const size = sizeOfPng(content) ?? sizeOfJpeg(content);
  if (!size) return { problem: "Upload a PNG or JPEG image or a PDF." };
  return size.pixels > 0 && size.pixels <= MAX_PIXELS
    ? { media_type: size.media_type }
    : { problem: "This image is too large. Upload one of at most 60 megapixels." };
}

interface ImageSize {
  media_type: DocumentType;
  pixels: number;
}

function sizeOfPng(content: Buffer): ImageSize | null {
  const isPng =
    content.subarray(0, 8).equals(PNG) &&
    content.length >= 24 &&
    content.subarray(12, 16).toString("latin1") === "IHDR";
  if (!isPng) return null;
  return {
    media_type: "image/png",
    pixels: content.readUInt32BE(16) * content.readUInt32BE(20),
  };
}

/** Walks the segments to the frame header, which has the size. */
function sizeOfJpeg(content: Buffer): ImageSize | null {
  if (!content.subarray(0, 3).equals(JPEG)) return null;
  for (let at = 2; at + 9 < content.length && content[at] === 0xff;) {
    const marker = content[at + 1] ?? 0;
    if (isFrameHeader(marker))
      return {
        media_type: "image/jpeg",
        pixels: content.readUInt16BE(at + 5) * content.readUInt16BE(at + 7),
      };
    at += marker === 0xff ? 1 : 2 + content.readUInt16BE(at + 2);
  }
  return null;
}

/** C4 and CC are tables, and C8 is reserved. */
const isFrameHeader = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
