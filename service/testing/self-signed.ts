import { generateKeyPairSync, sign } from "node:crypto";

const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const size =
    content.length < 128 ? [content.length] : [0x82, content.length >> 8, content.length];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};
const [SEQUENCE, SET, INTEGER, BITS, UTC_TIME, UTF8] = [0x30, 0x31, 2, 3, 0x17, 0x0c];
const ECDSA_WITH_SHA256 = Buffer.from("06082a8648ce3d040302", "hex");
const COMMON_NAME = Buffer.from("0603550403", "hex");

const LONG = ["200101000000Z", "490101000000Z"];

/**
 * Creates a key and a self-signed certificate, so that the project stores none.
 * @param times validity, in the format of certificates
 */
export function createSelfSignedCertificate(name: string, times = LONG) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const algorithm = der(SEQUENCE, ECDSA_WITH_SHA256);
  const holder = der(
    SEQUENCE,
    der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8, Buffer.from(name)))),
  );
  const content = der(
    SEQUENCE,
    der(INTEGER, Buffer.from([1])),
    algorithm,
    holder,
    der(SEQUENCE, ...times.map((time) => der(UTC_TIME, Buffer.from(time)))),
    holder,
    publicKey.export({ type: "spki", format: "der" }),
  );
  const signature = der(BITS, Buffer.from([0]), sign("sha256", content, privateKey));
  const certificate = der(SEQUENCE, content, algorithm, signature).toString("base64");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----\n`,
  };
}
