import decodeQR from "qr/decode.js";
import sharp from "sharp";

/** What a phone reads in a picture, by another library than the one that draws our codes. */
export async function readQrCode(picture: Buffer | string): Promise<string> {
  const { data, info } = await sharp(picture)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return decodeQR({ data, width: info.width, height: info.height }, { timeLimit: 10_000 });
}
