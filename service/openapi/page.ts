import { html, Html } from "../http/html.ts";
import type { Description } from "./document.ts";
import { fieldsOf } from "./fields.ts";
import type { Operation } from "./operation.ts";
import { eventSample, quickStart, samplesOf } from "./samples.ts";
import type { JsonSchema } from "./schemas.ts";

export const PAGE_STYLE = `
:root { color-scheme: light dark; --line: light-dark(#ddd, #3a3a3f); --soft: light-dark(#5c5c66, #a0a0aa);
  --accent: light-dark(#0b6a55, #5fd3b8); --back: light-dark(#fff, #18181b); --band: light-dark(#f5f5f4, #222226); }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1rem 6rem; max-width: 60rem; background: var(--back);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.75rem; } h2 { margin-top: 3rem; border-bottom: 1px solid var(--line); }
h3 { margin: 2rem 0 .25rem; font-size: 1rem; scroll-margin-top: 1rem; }
code, .path { font-family: ui-monospace, monospace; font-size: .9em; overflow-wrap: anywhere; }
pre { margin: .5rem 0; padding: .75rem; border-radius: .5rem; background: var(--band); white-space: pre-wrap; }
summary { cursor: pointer; padding: .25rem 0; } li { margin-bottom: .5rem; }
.method { color: var(--accent); text-transform: uppercase; font-weight: 700; }
nav ul { columns: 18rem; padding-left: 1.25rem; margin: .25rem 0 1rem; } nav li { margin: 0; } a { color: var(--accent); }
table { width: 100%; border-collapse: collapse; margin: .5rem 0 1rem; font-size: .9rem; }
caption { text-align: left; font-weight: 600; padding: .25rem 0; }
th, td { text-align: left; vertical-align: top; padding: .3rem .5rem .3rem 0; border-top: 1px solid var(--line); }
th { font-weight: 500; color: var(--soft); } td { overflow-wrap: anywhere; }
td:first-child { width: 35%; } .limits { color: var(--soft); font-size: .85em; }
`;

// Kept as one string: the page's policy contains the hash of exactly this text.
const STYLE_ELEMENT = new Html(`<style>${PAGE_STYLE}</style>`);

export function descriptionPage(description: Description, operations: Operation[]): Html {
  const { info, tags, servers, components, webhooks } = description;
  const url = servers[0]?.url ?? "";
  const of = (tag: string) => operations.filter((one) => one.tag === tag);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${info.title}</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main>
          <h1>${info.title}, version ${info.version}</h1>
          <p>${withCode(info.description)}</p>
          <p>
            At <code>${url}</code>. For programs: <a href="/api/openapi.json">openapi.json</a>.
          </p>
          <nav aria-label="Operations">
            <a href="#begin">Integrate in ten minutes</a> · <a href="#events">Events</a> ·
            <a href="#schemas">Schemas</a>
            ${tags.map(
              ({ name }) =>
                html`<p><b>${name}</b></p>
                  <ul>
                    ${of(name).map((one) => html`<li><a href="#${anchor(one)}">${one.summary}</a></li>`)}
                  </ul>`,
            )}
          </nav>
          ${quickStart(operations, url)}
          ${tags.map(
            ({ name }) =>
              html`<h2>${name}</h2>
                ${of(name).map((one) => operationPart(one, url))}`,
          )}
          <h2 id="events">Events</h2>
          ${Object.entries(webhooks).map(([event, { post }]) => eventPart(event, post))}
          <h2 id="schemas">Schemas</h2>
          ${Object.entries(components.schemas).map(
            ([name, schema]) =>
              html`<h3 id="schema-${name}">${name}</h3>
                ${fieldTable("Fields", schema)}`,
          )}
        </main>
      </body>
    </html>`;
}

const anchor = ({ method, path }: Operation) => `${method}${path.replace(/[^a-z]+/g, "-")}`;

const withCode = (text: string) =>
  text.split("`").map((part, index) => (index % 2 ? html`<code>${part}</code>` : part));

const eventPart = (event: string, post: Description["webhooks"][string]["post"]) => html`
  <section>
    <h3 id="event-${event}">${event}</h3>
    <p>${withCode(post.description)}</p>
    ${parameterTable(post)}
    ${Object.values(post.requestBody.content).map(({ schema, example }) => [
      fieldTable("Body", schema),
      eventSample(example),
    ])}
  </section>
`;

const operationPart = (operation: Operation, url: string) => html`
  <section>
    <h3 id="${anchor(operation)}">${operation.summary}</h3>
    <div class="path"><span class="method">${operation.method}</span> ${operation.path}</div>
    ${operation.description && html`<p>${withCode(operation.description)}</p>`}
    ${operation.parameters.length > 0 && parameterTable(operation)}
    ${Object.entries(operation.requestBody?.content ?? {}).map(([type, { schema }]) =>
      fieldTable(`Body, ${type}`, schema),
    )}
    ${responseTable(operation)} ${samplesOf(operation, url)}
  </section>
`;

const parameterTable = ({ parameters }: Pick<Operation, "parameters">) =>
  table(
    "Parameters",
    ["Name", "Meaning"],
    parameters.map(({ name, in: place, required, description }) => [
      html`<code>${name}</code>`,
      html`${withCode(description)}
        <div class="limits">${place}${!required && ", optional"}</div>`,
    ]),
  );

const responseTable = ({ responses }: Operation) =>
  table(
    "Answers",
    ["Status", "Meaning"],
    Object.entries(responses).map(([status, { description, content = {} }]) => [
      status,
      html`${description}
        <div class="limits">
          ${Object.entries(content).map(([type, { schema }]) =>
            typeof schema["$ref"] === "string" ? schemaLink(schema["$ref"]) : type,
          )}
        </div>`,
    ]),
  );

function fieldTable(caption: string, schema: JsonSchema): Html {
  if (typeof schema["$ref"] === "string")
    return html`<p>${caption}: ${schemaLink(schema["$ref"])}</p>`;
  return table(
    caption,
    ["Field", "Meaning"],
    fieldsOf(schema).map(({ path, type, reference, limits, meaning }) => [
      html`<code>${path}</code>`,
      html`${meaning}
        <div class="limits">
          ${type} ${reference && schemaLink(reference)}${limits && `, ${limits}`}
        </div>`,
    ]),
  );
}

function schemaLink(reference: string): Html {
  const name = reference.split("/").at(-1);
  return html`<a href="#schema-${name}">${name}</a>`;
}

type Cell = Parameters<typeof html>[1];

const table = (caption: string, heads: string[], rows: Cell[][]) => html`
  <table>
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        ${heads.map((head) => html`<th scope="col">${head}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (cells) =>
          html`<tr>
            ${cells.map((cell) => html`<td>${cell}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>
`;
