import * as z from "zod";
import { partitionBySeller } from "../db/partitions.ts";
import { defineCommand } from "./command.ts";

const BETWEEN = "a number from 2 to 256";

export const partition = defineCommand(
  "partition",
  "Divides the tables among partitions by seller. It locks them: stop services and workers before.",
  {
    partitions: z.coerce
      .number({ error: BETWEEN })
      .int(BETWEEN)
      .min(2, BETWEEN)
      .max(256, BETWEEN)
      .meta({
        description: "how many partitions each table gets",
        placeholder: "N",
      }),
  },
  async ({ config }, { partitions }) => {
    const tables = await partitionBySeller(config.directUrl, partitions);
    const text =
      tables.length > 0
        ? `${tables.length} tables have ${partitions} partitions each now.`
        : "All tables have their partitions already.";
    return { json: { tables }, text };
  },
);
