/** The OpenAPI description of every call, generated from the contract. */
import { z } from 'zod'
import { product } from '../../limits.ts'
import { byteRoutes } from '../bytes.ts'
import { calls } from '../calls.ts'
import { type AccessRule, dryRunPath, type Endpoint } from '../contract.ts'
import { fileListing, fileManagerQuery } from '../file-manager.ts'
import { item } from '../items.ts'
import { planRequest } from '../plans.ts'
import { tagData } from '../tags.ts'
import { exampleOf } from './examples.ts'
import { refusalTexts, ruleText } from './rule-text.ts'

type Schema = Record<string, unknown>

/** The wire format: the input side of codecs. Types that JSON Schema cannot express become 'anything'. */
function jsonSchema(schema: z.ZodType): Schema {
  const {
    $schema: _,
    $defs,
    ...made
  }: Schema = {
    ...z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', target: 'draft-2020-12' }),
  }
  return isRecord($defs) ? hoistDefinitions(made, $defs) : made
}

/** Recursive schemas. They become components of the description, because references need an address. */
const recursiveSchemas = new Map<string, Schema>()

function hoistDefinitions(schema: Schema, definitions: Schema): Schema {
  const names = new Map<string, string>()
  const withComponentRefs = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(withComponentRefs)
    if (!isRecord(value)) return value
    const parts = Object.entries(value).map(([key, part]) => {
      const name = key === '$ref' && typeof part === 'string' ? part.replace('#/$defs/', '') : null
      return [key, name === null ? withComponentRefs(part) : `#/components/schemas/${names.get(name) ?? name}`]
    })
    return Object.fromEntries(parts)
  }
  for (const [name, definition] of Object.entries(definitions)) {
    // The same schema in two calls becomes one component.
    names.set(name, `Shape${hashOf(JSON.stringify(definition))}`)
  }
  for (const [name, definition] of Object.entries(definitions)) {
    const made = withComponentRefs(definition)
    if (isRecord(made)) recursiveSchemas.set(names.get(name) ?? name, made)
  }
  const made = withComponentRefs(schema)
  return isRecord(made) ? made : schema
}

/** A short hash of a text (FNV-1a). */
function hashOf(text: string): string {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return (hash >>> 0).toString(36)
}

/** The fields of an object's schema, in the wire format. */
export function fieldsOf(schema: z.ZodType): { name: string; schema: Schema; required: boolean }[] {
  const whole = jsonSchema(schema)
  const { properties, required } = whole
  if (typeof properties !== 'object' || properties === null) return []
  const needed = Array.isArray(required) ? required : []
  return Object.entries(properties).map(([name, field]) => ({ name, schema: field, required: needed.includes(name) }))
}

function parameters(params: z.ZodType, query: z.ZodType): Schema[] {
  const example = exampleOf(params)
  const examples = isRecord(example) ? example : {}
  return [
    ...fieldsOf(params).map(field => ({
      name: field.name,
      in: 'path',
      required: true,
      schema: field.schema,
      example: examples[field.name],
    })),
    ...fieldsOf(query).map(field => ({
      name: field.name,
      in: 'query',
      required: field.required,
      schema: field.schema,
    })),
  ]
}

/** Reading needs only the session's cookie. Changing also needs the CSRF value, which other sites do not have. */
function securityOf(who: AccessRule['who'], reads: boolean): Schema[] {
  const proofs: Schema[] = [{ bearer: [] }, reads ? { cookie: [] } : { cookie: [], csrf: [] }]
  return who === 'all' ? [{}, ...proofs] : proofs
}

/** The shape of a tag set's `data` depends on the tag set. */
const dataOfTags: Schema = {
  type: 'object',
  properties: {
    data: {
      description: 'One of these, depending on the tag set; an empty value deletes the tag.',
      anyOf: Object.entries(tagData).map(([title, shape]) => ({ title, ...jsonSchema(shape) })),
    },
  },
}

const ifMatch: Schema = {
  name: 'If-Match',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description:
    'Version of the tag that the change is based on. If the tag has a newer one, returns 409 with the present tag.',
}

/** Responses of byte routes. */
const mediaTypes: Record<keyof typeof byteRoutes, readonly string[]> = {
  image: ['image/webp', 'image/jpeg', 'image/avif', 'image/png', 'application/octet-stream'],
  stream: ['video/mp4', 'video/webm', 'application/octet-stream'],
  sharedImage: ['image/webp', 'image/jpeg', 'image/avif', 'image/png'],
  sharedStream: ['video/mp4'],
  linkImage: ['image/webp', 'image/jpeg', 'image/avif', 'image/png'],
  linkStream: ['video/mp4'],
  linkDownload: ['application/zip'],
  download: ['application/zip'],
  slideshow: ['application/zip'],
  exportPeople: ['application/json'],
  exportCollection: ['text/csv'],
  pluginFile: ['text/javascript', 'text/css', 'application/octet-stream'],
  upload: ['application/json'],
  plan: ['application/x-ndjson'],
  files: ['application/json', 'application/zip', 'application/octet-stream'],
  filesChange: ['application/json'],
}

function bytesOf(types: readonly string[]): Schema {
  return Object.fromEntries(types.map(type => [type, { schema: { type: 'string', format: 'binary' } }]))
}

const failureSchema: Schema = {
  type: 'object',
  required: ['error', 'code'],
  properties: {
    error: { type: 'string', description: 'Message for users.' },
    code: { type: 'string', description: 'Code for programs.' },
    field: { type: 'string', description: 'The part of the request that was wrong.' },
  },
}

/** Statuses of refusals that any call of this kind may return, besides those of its own rule. */
function generalRefusals({ reads, hasBody }: { reads: boolean; hasBody: boolean }): number[] {
  // A repeated or invalid parameter, a change from another site, or a body that is too large.
  return [400, ...(reads ? [] : [403]), ...(hasBody ? [413] : [])]
}

function refusals(rule: AccessRule, more: readonly number[]): Schema {
  const statuses = [...new Set([...rule.refused, ...more])].sort((a, b) => a - b)
  return Object.fromEntries(
    statuses.map(status => {
      const { text, code, error } = refusalTexts[status] ?? { text: 'Refused', code: 'invalid', error: 'Refused' }
      const content = { schema: { $ref: '#/components/schemas/Failure' }, example: { error, code } }
      return [String(status), { description: text, content: { 'application/json': content } }]
    }),
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function operation(call: Endpoint, group: string, name: string): Schema {
  const mayHaveBody = call.method === 'POST' || call.method === 'PUT'
  const hasBody = mayHaveBody && fieldsOf(call.body).length > 0
  const writesTag = group === 'tags' && call.path.includes('/tag/')
  const takesData = writesTag && call.path.endsWith(':tagName') && hasBody
  return {
    operationId: `${group}.${name}`,
    summary: call.summary,
    description: ruleText(call.rule),
    tags: [group],
    security: securityOf(call.rule.who, call.method === 'GET' && call.effect !== 'proved'),
    'x-access': call.rule,
    ...(call.dryRun ? { 'x-dry-run': openApiPath(dryRunPath(call.path)) } : {}),
    parameters: [...parameters(call.params, call.query), ...(writesTag ? [ifMatch] : [])],
    ...(hasBody
      ? {
          requestBody: {
            required: true,
            content: {
              'application/json': takesData
                ? { schema: dataOfTags, example: { data: ['Sevilla', 'Cathedral'] } }
                : { schema: jsonSchema(call.body), example: exampleOf(call.body) },
            },
          },
        }
      : {}),
    responses: {
      [call.status]:
        call.status === 204
          ? { description: 'Done' }
          : {
              description: 'Done',
              content: {
                'application/json': { schema: jsonSchema(call.output), example: exampleOf(call.output, 'output') },
              },
            },
      ...refusals(
        call.rule,
        generalRefusals({ reads: call.method === 'GET' && call.effect === 'none', hasBody: mayHaveBody }),
      ),
    },
  }
}

/** The request body of a byte route. */
function requestBodyOf(name: keyof typeof byteRoutes): Schema {
  if (name === 'plan') return { required: true, content: { 'application/json': { schema: jsonSchema(planRequest) } } }
  if (name !== 'filesChange') {
    return { required: true, content: bytesOf(['application/octet-stream']), description: 'The file.' }
  }
  const { properties }: Schema = jsonSchema(fileManagerQuery)
  const fields = isRecord(properties) ? properties : {}
  const form = { type: 'object', properties: { ...fields, file: { type: 'string', format: 'binary' } } }
  return {
    required: false,
    description: 'Parameters that are not in the address; the file comes last.',
    content: {
      'multipart/form-data': { schema: form },
      'application/json': { schema: { type: 'object', properties: fields } },
    },
  }
}

/** The successful response of a byte route. */
function successOf(name: keyof typeof byteRoutes, reads: boolean): Schema {
  if (reads) return { '200': { description: 'The bytes', content: bytesOf(mediaTypes[name]) } }
  if (name === 'filesChange') {
    const content = { 'application/json': { schema: jsonSchema(fileListing) } }
    return { '200': { description: 'The folder as it is now', content } }
  }
  if (name === 'plan')
    return { '200': { description: 'JSON objects, one per line', content: bytesOf(mediaTypes.plan) } }
  return { '201': { description: 'The item', content: { 'application/json': { schema: jsonSchema(item) } } } }
}

const openApiPath = (path: string) => path.replace(/:(\w+)/g, '{$1}')

/** The whole description, OpenAPI 3.1. */
export function openApi(): Schema {
  const paths: Record<string, Schema> = {}
  const add = (path: string, method: string, described: Schema) => {
    paths[openApiPath(path)] = { ...paths[openApiPath(path)], [method.toLowerCase()]: described }
  }
  for (const [group, table] of Object.entries(calls)) {
    for (const [name, call] of Object.entries<Endpoint>(table))
      add(call.path, call.method, operation(call, group, name))
  }
  const routes = Object.entries(byteRoutes) as [keyof typeof byteRoutes, (typeof byteRoutes)[keyof typeof byteRoutes]][]
  for (const [name, route] of routes) {
    const reads = route.method === 'GET'
    add(route.path, route.method, {
      operationId: `bytes.${name}`,
      summary: route.summary,
      description: ruleText(route.rule),
      tags: ['bytes'],
      security: securityOf(route.rule.who, reads),
      'x-access': route.rule,
      parameters: parameters(route.params, route.query),
      ...(reads ? {} : { requestBody: requestBodyOf(name) }),
      responses: {
        ...successOf(name, reads),
        ...(reads ? { '206': { description: 'The requested range' }, '304': { description: 'Not changed' } } : {}),
        ...refusals(route.rule, reads ? [400, 416] : generalRefusals({ reads: false, hasBody: true })),
      },
    })
  }
  return {
    openapi: '3.1.0',
    info: { title: `${product} API`, version: '1', description: `Calls of the ${product} server.` },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'keepsake_session',
          description:
            'Cookie of a session; alone, it only allows reading. Over https its name is __Host-keepsake_session.',
        },
        csrf: {
          type: 'apiKey',
          in: 'header',
          name: 'X-CSRF-Token',
          description: 'Required with the cookie to change anything.',
        },
      },
      schemas: { Failure: failureSchema, ...Object.fromEntries(recursiveSchemas) },
    },
    paths,
  }
}
