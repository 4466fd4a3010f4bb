import { get, type IncomingMessage } from "node:http";
import type { DashboardReader } from "./load.ts";

/** A stream of server-sent events that reconnects as EventSource does. */
export class EventStream {
  /** Addresses of the servers that answered, in order. */
  readonly servers: string[] = [];
  /** Ids of the subscriptions whose deliveries the stream announced. */
  readonly told = new Set<string>();
  refreshes = 0;
  pauses = 0;
  /** Number of refused connections. */
  refused = 0;
  /** The longest gap without a stream, in milliseconds. */
  longestGap = 0;
  isOpen = false;
  readonly #reader: DashboardReader;
  #lastId = "";
  #retry = 1_000;
  #lostAt: number | null = null;
  #isClosed = false;
  #request: ReturnType<typeof get> | null = null;

  constructor(reader: DashboardReader) {
    this.#reader = reader;
    this.#connect();
  }

  close() {
    this.#isClosed = true;
    this.#request?.destroy();
  }

  #connect() {
    if (this.#isClosed) return;
    const { url, cookie, scope } = this.#reader;
    const last = this.#lastId ? { "last-event-id": this.#lastId } : {};
    const request = get(`${url}/api/${scope}/live`, {
      agent: false,
      headers: { cookie, accept: "text/event-stream", ...last },
    });
    this.#request = request;
    let isOver = false;
    const again = () => {
      if (isOver) return;
      isOver = true;
      this.isOpen = false;
      this.#lostAt ??= performance.now();
      setTimeout(() => this.#connect(), this.#retry);
    };
    request.on("error", again);
    request.on("response", (response) => {
      response.on("error", again);
      response.on("close", again);
      if (response.statusCode === 200) this.#read(response);
      else {
        this.refused += 1;
        response.resume();
      }
    });
  }

  #read(response: IncomingMessage) {
    this.isOpen = true;
    if (this.#lostAt !== null)
      this.longestGap = Math.max(this.longestGap, performance.now() - this.#lostAt);
    this.#lostAt = null;
    this.servers.push(String(response.headers["x-upstream"] ?? ""));
    let text = "";
    response.setEncoding("utf8").on("data", (part: string) => {
      text += part;
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) this.#take(block);
    });
  }

  #take(block: string) {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
    this.#lastId = field("id") ?? this.#lastId;
    this.#retry = Number(field("retry") ?? this.#retry);
    if (field("event") === "paused") this.pauses += 1;
    const data = field("data") ?? "";
    if (data.includes('"kind":"refresh"')) this.refreshes += 1;
    if (!data.includes('"kind":"delivery"')) return;
    const { ids } = JSON.parse(data) as { ids: string[] | null };
    for (const id of ids ?? []) this.told.add(id);
  }
}
