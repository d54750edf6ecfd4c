/** `/v1/docs`: every call on one page that loads nothing from anywhere else. */

import { escapedHtml } from '../core/kernel/html.ts'
import { byteRoutes } from '../schema/api/bytes.ts'
import { calls } from '../schema/api/calls.ts'
import type { AccessRule, Endpoint } from '../schema/api/contract.ts'
import { exampleOf } from '../schema/api/reference/examples.ts'
import { fieldsOf } from '../schema/api/reference/openapi.ts'
import { refusalTexts, ruleText } from '../schema/api/reference/rule-text.ts'
import { product } from '../schema/limits.ts'

const style = `
:root { color-scheme: light dark; --page: light-dark(#fff, #131316); --card: light-dark(#f6f6f7, #1c1c21); --text: light-dark(#18181b, #f0f0f2); --soft: light-dark(#5b5b66, #a5a5b2); --line: light-dark(#e2e2e6, #2c2c33) }
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.55 system-ui, sans-serif; display: grid; grid-template-columns: minmax(0, 250px) minmax(0, 1fr) }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 24px 16px; border-right: 1px solid var(--line) }
nav a { display: block; padding: 3px 8px; border-radius: 6px; color: var(--soft); text-decoration: none; overflow-wrap: anywhere }
nav a:hover { background: var(--card); color: var(--text) }
nav b { display: block; margin: 16px 8px 4px; text-transform: capitalize }
main { padding: 32px clamp(16px, 4vw, 56px) 96px; max-width: 1000px }
h1 { font-size: 24px; margin: 0 0 8px } h2 { margin: 48px 0 8px; font-size: 20px; text-transform: capitalize }
article { background: var(--card); border-radius: 10px; padding: 16px 20px; margin: 12px 0; scroll-margin-top: 16px }
h3 { margin: 0 0 4px; font: 600 14px/1.5 ui-monospace, monospace; overflow-wrap: anywhere }
h3 span { display: inline-block; min-width: 62px }
p { margin: 4px 0 } .soft { color: var(--soft) }
table { border-collapse: collapse; width: 100%; margin: 8px 0; font-size: 14px } td, th { text-align: left; padding: 4px 12px 4px 0; vertical-align: top; border-top: 1px solid var(--line) } th { font-weight: 600; white-space: nowrap }
pre { overflow: auto; max-height: 320px; background: var(--page); border-radius: 8px; padding: 12px; font: 12.5px/1.5 ui-monospace, monospace; margin: 8px 0 }
summary { cursor: pointer; color: var(--soft); padding: 4px 0; min-height: 32px }
code { font: 13px ui-monospace, monospace }
:focus-visible { outline: 2px solid #4c8dff; outline-offset: 2px; border-radius: 4px }
@media (max-width: 760px) { body { display: block } nav { position: static; height: auto; max-height: 40vh; border-right: 0; border-bottom: 1px solid var(--line) } nav a { padding: 8px } }
`

function typeOf(schema: Record<string, unknown>): string {
  const { type, enum: choices, anyOf } = schema
  if (Array.isArray(choices)) return choices.map(String).join(', ')
  if (Array.isArray(anyOf)) return [...new Set(anyOf.map(one => typeOf({ ...one })))].join(' or ')
  return typeof type === 'string' ? type : Array.isArray(type) ? type.map(String).join(' or ') : 'JSON'
}

function fieldRows(title: string, fields: ReturnType<typeof fieldsOf>): string {
  if (fields.length === 0) return ''
  const rows = fields.map(
    ({ name, schema, required }) =>
      `<tr><th><code>${escapedHtml(name)}</code></th><td>${escapedHtml(typeOf(schema))}</td><td class="soft">${required ? 'required' : ''}</td></tr>`,
  )
  return `<p class="soft">${title}</p><table>${rows.join('')}</table>`
}

function example(title: string, value: unknown): string {
  return `<details><summary>${title}</summary><pre>${escapedHtml(JSON.stringify(value, null, 2))}</pre></details>`
}

function refusals({ refused }: AccessRule): string {
  if (refused.length === 0) return ''
  const rows = refused.map(
    status => `<tr><th>${status}</th><td>${escapedHtml(refusalTexts[status]?.text ?? '')}</td></tr>`,
  )
  return `<p class="soft">Refused with</p><table>${rows.join('')}</table>`
}

type Route = Pick<Endpoint, 'method' | 'path' | 'summary' | 'rule' | 'params' | 'query'>

/** `more`: HTML after the parameters. */
function card(id: string, { method, path, summary, rule, params, query }: Route, more = ''): string {
  const head = `<h3><span>${method}</span>${escapedHtml(path)}</h3><p>${escapedHtml(summary)}</p><p class="soft">${escapedHtml(ruleText(rule))} <a href="#${id}" class="soft" aria-label="Link to ${escapedHtml(id)}">#</a></p>`
  const fields = fieldRows('In the address', fieldsOf(params)) + fieldRows('Parameters', fieldsOf(query))
  return `<article id="${id}">${head}${fields}${more}${refusals(rule)}</article>`
}

function bodies({ method, body, status, output }: Endpoint): string {
  const fields = method === 'POST' || method === 'PUT' ? fieldsOf(body) : []
  const sent = fields.length === 0 ? '' : example('Body, for example', exampleOf(body))
  const responseNote =
    status === 204
      ? '<p class="soft">Answers 204 without a body.</p>'
      : example(`Answers ${status}, for example`, exampleOf(output, 'output'))
  return fieldRows('In the body', fields) + sent + responseNote
}

/** The whole page, which is the same for everybody. */
export function docsPage(): string {
  const links: string[] = []
  const sections: string[] = []
  for (const [group, table] of Object.entries(calls)) {
    links.push(`<b>${group}</b>`)
    const cards = Object.entries<Endpoint>(table).map(([name, call]) => {
      const id = `${group}.${name}`
      links.push(`<a href="#${id}">${name}</a>`)
      return card(id, call, bodies(call))
    })
    sections.push(`<h2>${group}</h2>${cards.join('')}`)
  }
  links.push('<b>bytes</b>')
  const bytes = Object.entries(byteRoutes).map(([name, route]) => {
    links.push(`<a href="#bytes.${name}">${name}</a>`)
    return card(`bytes.${name}`, route)
  })
  sections.push(`<h2>bytes</h2>${bytes.join('')}`)
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${product} API</title><style>${style}</style></head>
<body>
<nav aria-label="Calls"><a href="/v1/openapi.json">openapi.json</a>${links.join('')}</nav>
<main>
<h1>${product} API</h1>
<p>Calls take and return JSON. A session's token is sent as <code>Authorization: Bearer …</code>; the cookie alone only allows reading. An error is <code>{"error", "code", "field"?}</code>: <code>error</code> is for people, <code>code</code> for programs.</p>
<p>For programs, the same description is available as <a href="/v1/openapi.json">OpenAPI 3.1</a>.</p>
${sections.join('\n')}
</main>
</body>
</html>
`
}
