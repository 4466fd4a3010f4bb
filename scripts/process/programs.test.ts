import { afterEach, expect, test, vi } from "vitest";
import { serviceEnvironment } from "./programs.ts";

afterEach(() => vi.unstubAllEnvs());

const settings = {
  host: "127.0.0.1",
  port: 3000,
  servicePort: 4000,
  dataDirectory: ".data",
  serviceUrls: { live: null, test: "http://localhost:4000" },
  ownService: true,
  demonstration: true,
  hasHistory: true,
};
const databases = { urls: { dashboard: "", service: "" }, server: null };

test.each([
  [{}, ""],
  [{ NEXTAUTH_URL: "https://desk.example" }, "refuse"],
  [{ TRUSTED_PROXIES: "1" }, "refuse"],
  [{ NEXTAUTH_URL: "https://desk.example", SERVICE_PRIVATE_TARGETS: "allow" }, "allow"],
])(
  "with the dashboard settings %o the sandbox gets SERVICE_PRIVATE_TARGETS=%s",
  (given, told) => {
    for (const name of ["NEXTAUTH_URL", "TRUSTED_PROXIES", "SERVICE_PRIVATE_TARGETS"])
      vi.stubEnv(name, "");
    for (const [name, value] of Object.entries(given)) vi.stubEnv(name, value);
    expect(serviceEnvironment(settings, databases, {})["SERVICE_PRIVATE_TARGETS"]).toBe(told);
  },
);

test("the sandbox gets SERVICE_PRIVATE_TARGETS=refuse if the dashboard listens on every address", () => {
  vi.stubEnv("SERVICE_PRIVATE_TARGETS", "");
  const open = { ...settings, host: "0.0.0.0" };
  expect(serviceEnvironment(open, databases, {})["SERVICE_PRIVATE_TARGETS"]).toBe("refuse");
});
