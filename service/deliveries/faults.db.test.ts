import { createServer as createTlsServer } from "node:https";
import { createServer, type AddressInfo, type Server } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answerWith, Endpoint } from "../testing/endpoint.ts";
import { createSelfSignedCertificate } from "../testing/self-signed.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useDeliveryWorker, useTestService } from "../testing/use-service.ts";
import { listDeliveries } from "./read.ts";

const service = useTestService();

let api: SellerApi;
let endpoint: Endpoint;
const errors: unknown[] = [];
const opened: Server[] = [];
beforeEach(async () => {
  service.clock.set(new Date().toISOString());
  endpoint = await Endpoint.listen();
  api = await SellerApi.open(service);
});
afterEach(async () => {
  await endpoint.close();
  for (const server of opened.splice(0)) server.close();
  expect(errors).toEqual([]);
});
const worker = useDeliveryWorker(service, {
  timeout: 1_000,
  resolve: async (hostname) => {
    const code = hostname === "busy.example" ? "EAI_AGAIN" : "ENOTFOUND";
    throw Object.assign(new Error(), { code });
  },
  onError: (error) => errors.push(error),
});

const portOf = async (server: Server) => {
  opened.push(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return (server.address() as AddressInfo).port;
};
/** The stored result of the one delivery after one attempt. */
const outcome = async (url = endpoint.url) => {
  await endpoint.register(api, "checkout.succeeded", url);
  await api.createActive();
  await worker.deliverDue();
  const page = { before: null, limit: 20 };
  const { results } = await listDeliveries(service.pool, api.seller.seller_id, {}, page);
  const [delivery] = results;
  expect(results).toHaveLength(1);
  expect(delivery?.attempts).toBe(1);
  return `${delivery?.state} ${delivery?.last_response_code}: ${delivery?.last_error}`;
};

describe("an endpoint", () => {
  it.each([200, 201, 202, 204, 299])("that answers %i accepts the delivery", async (status) => {
    endpoint.answer = answerWith(status);
    expect(await outcome()).toBe(`delivered ${status}: null`);
  });

  it.each([400, 401, 404, 429, 500, 502, 503, 504])(
    "that answers %i fails the delivery with a readable error",
    async (status) => {
      endpoint.answer = answerWith(status);
      expect(await outcome()).toBe(`retrying ${status}: The endpoint answered ${status}.`);
    },
  );

  it("that answers 410 is switched off", async () => {
    endpoint.answer = answerWith(410);
    expect(await outcome()).toBe(
      "failed 410: The endpoint answered 410: it is gone, and was switched off.",
    );
  });

  it.each([301, 302, 303, 307, 308])(
    "that redirects with %i fails the delivery, and the redirect is not followed",
    async (status) => {
      const elsewhere = await Endpoint.listen();
      endpoint.answer = answerWith(status, { location: elsewhere.url });
      expect(await outcome()).toBe(
        `retrying ${status}: The endpoint answered ${status}: redirects are not followed.`,
      );
      expect(elsewhere.arrivals).toEqual([]);
      await elsewhere.close();
    },
  );

  it("that never answers makes the delivery time out", async () => {
    endpoint.answer = () => {};
    expect(await outcome()).toBe("retrying null: The endpoint did not answer in time.");
  });

  it("that answers 200 and never ends the response body accepts the delivery", async () => {
    endpoint.answer = (response) => void response.writeHead(200).write("ok");
    expect(await outcome()).toBe("delivered 200: null");
  });

  it("that sends its response headers too slowly makes the delivery time out", async () => {
    const dripping = createServer((socket) => {
      socket.on("error", () => {});
      socket.write("HTTP/1.1 200 OK\r\n");
      const timer = setInterval(() => socket.write("x-a: b\r\n"), 20);
      socket.on("close", () => clearInterval(timer));
    });
    const url = `http://127.0.0.1:${await portOf(dripping)}/`;
    expect(await outcome(url)).toBe("retrying null: The endpoint did not answer in time.");
  });

  it("that sends a huge response body accepts the delivery, and only the start of the body is read", async () => {
    let written = 0;
    endpoint.answer = (response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(1_024 * 1_024);
      const more = () => {
        while (!response.destroyed && written < 500) {
          written += 1;
          if (!response.write(chunk)) return response.once("drain", more);
        }
        return response;
      };
      more();
    };
    expect(await outcome()).toBe("delivered 200: null");
    expect(written).toBeLessThan(50);
  });

  it("that resets the connection or does not speak HTTP fails the delivery with a readable error", async () => {
    const resetting = createServer((socket) =>
      socket.on("data", () => socket.resetAndDestroy()),
    );
    expect(await outcome(`http://127.0.0.1:${await portOf(resetting)}/`)).toBe(
      "retrying null: The endpoint cut the connection before it answered.",
    );
    api = await SellerApi.open(service);
    const talking = createServer((socket) => {
      socket.on("error", () => {});
      socket.write("220 mail.example ESMTP\r\n");
    });
    expect(await outcome(`http://127.0.0.1:${await portOf(talking)}/`)).toBe(
      "retrying null: What came back is not an HTTP answer.",
    );
  });

  it("at a port where nothing listens fails the delivery with a readable error", async () => {
    const closed = createServer();
    const port = await portOf(closed);
    await new Promise((done) => closed.close(done));
    expect(await outcome(`http://127.0.0.1:${port}/`)).toBe(
      "retrying null: Nothing listens at the address: the connection was refused.",
    );
  });

  it("whose host name DNS cannot resolve fails the delivery with a readable error", async () => {
    expect(await outcome("http://nowhere.example/")).toBe(
      "retrying null: The name of the endpoint is not known (DNS).",
    );
    api = await SellerApi.open(service);
    expect(await outcome("http://busy.example/")).toBe(
      "retrying null: The name of the endpoint could not be looked up (DNS).",
    );
  });

  it("with a self-signed certificate or without TLS fails the delivery with a readable error", async () => {
    const secure = createTlsServer(
      createSelfSignedCertificate("127.0.0.1"),
      (_request, response) => response.end(),
    );
    expect(await outcome(`https://127.0.0.1:${await portOf(secure)}/`)).toBe(
      "retrying null: The endpoint's certificate is self-signed.",
    );
    api = await SellerApi.open(service);
    expect(await outcome(endpoint.url.replace("http:", "https:"))).toBe(
      "retrying null: No secure connection: the endpoint does not speak TLS as expected.",
    );
  });

  it("that answers 500 with a body that is not valid UTF-8 fails the delivery with a readable error", async () => {
    endpoint.answer = (response) => response.writeHead(500).end(Buffer.from([0, 255, 254, 65]));
    expect(await outcome()).toBe("retrying 500: The endpoint answered 500.");
  });
});

describe("one bad endpoint", () => {
  const worker = useDeliveryWorker(service, { onError: (error) => errors.push(error) });

  it("does not delay the deliveries of another endpoint while its own deliveries wait for an answer", async () => {
    const good = await Endpoint.listen();
    let release = () => {};
    const released = new Promise<void>((done) => (release = done));
    endpoint.answer = (response) => void released.then(() => response.writeHead(204).end());
    await endpoint.register(api, "checkout.succeeded");
    await good.register(api, "checkout.succeeded");
    for (let index = 0; index < 12; index += 1)
      await api.createActive(api.periods.monthly, { phone: `98000000${index + 10}` });
    const done = worker.deliverDue();
    await expect.poll(() => good.arrivals.length, { timeout: 20_000 }).toBe(12);
    // Four at a time, and none has been answered.
    expect(endpoint.arrivals.length).toBeLessThanOrEqual(4);
    release();
    await done;
    expect(endpoint.arrivals.length).toBe(12);
    await good.close();
  });
});
