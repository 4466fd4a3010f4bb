import { describe, expect, it } from "vitest";
import { isPrivateAddress } from "#contract/process/private-address.ts";
import { targetProblem } from "./target.ts";

describe("targetProblem", () => {
  it.each([
    "https://shop.example/hooks",
    "https://shop.example:8443/hooks",
    "https://8.8.8.8/",
    "https://[2606:4700::1111]/",
    "https://xn--bcher-kva.example/",
  ])("Spec choice, live webhook targets: accepts %s", (url) => {
    expect(targetProblem({ mode: "live", privateTargets: true }, url)).toBeNull();
  });

  it.each([
    "http://shop.example/",
    "https://shop.example:22/",
    "https://localhost/",
    "https://db.internal/",
    "https://printer.local./",
    "https://intranet/",
    "https://10.0.0.1/",
    "https://172.31.255.255/",
    "https://192.168.1.1/",
    "https://100.64.0.1/",
    "https://169.254.169.254/latest/meta-data/",
    "https://0.0.0.0/",
    "https://127.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0177.0.0.1/",
    "https://１２７.0.0.1/",
    "https://[::1]/",
    "https://[::]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[2002:7f00:1::]/",
    "https://[fd00::1]/",
    "https://[fe80::1]/",
    "https://[ff02::1]/",
  ])("Spec choice, live webhook targets: refuses %s", (url) => {
    expect(targetProblem({ mode: "live", privateTargets: true }, url)).toEqual(
      expect.any(String),
    );
  });
});

describe("isPrivateAddress", () => {
  it("distinguishes the first and last addresses of a private range from their neighbours", () => {
    const edges = ["9.255.255.255", "10.0.0.0", "10.255.255.255", "11.0.0.0"];
    expect(edges.map(isPrivateAddress)).toEqual([false, true, true, false]);
  });
});
