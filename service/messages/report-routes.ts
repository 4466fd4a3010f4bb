import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ServiceContext } from "../context.ts";
import { notFoundError } from "../http/errors.ts";
import { isUuid } from "../http/ids.ts";
import { withRouteDoc } from "../http/route-doc.ts";
import { selectChannelByReportKey } from "./channel-store.ts";
import { openChannel } from "./send.ts";
import { applyReports, keepReport } from "./store.ts";

const BODY_LIMIT = 256 * 1_024;

type ReportRoute = { Params: { key: string }; Body: Buffer | undefined };

/**
 * Where providers report what became of messages. The address is unguessable, and a report is
 * believed only with the provider's signature or a secret.
 */
export async function messageReportRoutes(
  app: FastifyInstance,
  { pool, now, publicUrl, secretsKey, oldSecretsKeys = [] }: ServiceContext,
  /** Called with the numbers that answered with a word like STOP. */
  onStop: (sellerId: number, phone: string) => Promise<void>,
) {
  // Signatures are over the bytes as they came.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: BODY_LIMIT }, (_, body, done) =>
    done(null, body),
  );
  const take = async (request: FastifyRequest<ReportRoute>) => {
    const { key } = request.params;
    const row = secretsKey && isUuid(key) ? await selectChannelByReportKey(pool, key) : null;
    const opened = secretsKey && row && openChannel([secretsKey, ...oldSecretsKeys], row);
    const read = opened?.adapter.readReports?.(
      {
        method: request.method,
        url: `${publicUrl}${request.url}`,
        headers: request.headers,
        rawBody: request.body ?? Buffer.alloc(0),
      },
      opened.settings,
    );
    if (!row || !read) throw notFoundError();
    for (const report of read.reports) {
      const messageId = report.messageId && isUuid(report.messageId) ? report.messageId : null;
      const at = report.at && report.at < now() ? report.at : now();
      await keepReport(pool, row, { ...report, messageId, at });
      await applyReports(pool, row, report.reference);
    }
    for (const phone of read.stops ?? []) await onStop(row.seller_id, phone);
    return read;
  };
  const refusals = { 404: "The report is not signed by the channel's provider" };
  app.get<ReportRoute>(
    "/message-reports/:key",
    withRouteDoc({
      summary: "Confirm the address for delivery reports",
      description: "Some providers ask once whether the address is meant to receive reports.",
      success: "What the provider sent, as the proof",
      answer: "text/plain",
      refusals,
    }),
    async (request, reply) => {
      const { answer } = await take(request);
      if (!answer) throw notFoundError();
      return reply.code(answer.status).type("text/plain").send(answer.body);
    },
  );
  app.post<ReportRoute>(
    "/message-reports/:key",
    withRouteDoc({
      summary: "Report the delivery of messages",
      description: "For providers; a report without their signature is refused.",
      status: 204,
      success: "Taken",
      refusals,
    }),
    async (request, reply) => {
      await take(request);
      return reply.code(204).send();
    },
  );
}
