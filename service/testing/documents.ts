/** Documents as businesses hand them in: only as much of each format as a reader needs. */

export function pngOf(width: number, height: number): Buffer {
  const header = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  return Buffer.concat([header, size, Buffer.from("0806000000", "hex")]);
}

/** Has a segment before the frame header, as photos of cameras do. */
export function jpegOf(width: number, height: number): Buffer {
  const frame = Buffer.from("ffc0001108000000000301220002110103110100", "hex");
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([Buffer.from("ffd8ffe000044a46", "hex"), frame]);
}

export const pdf = (words = "registration") =>
  Buffer.from(`%PDF-1.7\n% ${words}\n1 0 obj\nendobj\ntrailer\n%%EOF\n`);
