/** The OpenAPI description of every call, made from the contract. */
import { z } from 'zod'
import { product } from '../limits.ts'
import { byteRoutes } from './bytes.ts'
import { calls } from './calls.ts'
import type { AccessRule, Endpoint } from './contract.ts'
import { exampleOf } from './examples.ts'
import { refusalTexts, ruleText } from './rule-text.ts'

type Schema = Record<string, unknown>

/** What is on the wire: the input side of codecs. Descriptions that JSON Schema cannot say become 'anything'. */
function jsonSchema(schema: z.ZodType): Schema {
  const made: Schema = { ...z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', target: 'draft-2020-12' }) }
  delete made.$schema
  return made
}

/** The fields of an object's shape, as they are on the wire. */
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

const failureSchema: Schema = {
  type: 'object',
  required: ['error', 'code'],
  properties: {
    error: { type: 'string', description: 'For people.' },
    code: { type: 'string', description: 'For programs.' },
    field: { type: 'string', description: 'What was wrong in the request.' },
  },
}

function refusals(rule: AccessRule): Schema {
  return Object.fromEntries(
    rule.refused.map(status => {
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
  const changes = call.method === 'POST' || call.method === 'PUT'
  const hasBody = changes && fieldsOf(call.body).length > 0
  return {
    operationId: `${group}.${name}`,
    summary: call.summary,
    description: ruleText(call.rule),
    tags: [group],
    security: call.rule.who === 'all' ? [{}, { bearer: [] }] : [{ bearer: [] }],
    'x-access': call.rule,
    parameters: parameters(call.params, call.query),
    ...(hasBody
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: jsonSchema(call.body), example: exampleOf(call.body) } },
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
      ...refusals(call.rule),
    },
  }
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
  for (const [name, route] of Object.entries(byteRoutes)) {
    add(route.path, route.method, {
      operationId: `bytes.${name}`,
      summary: route.summary,
      description: ruleText(route.rule),
      tags: ['bytes'],
      'x-access': route.rule,
      parameters: parameters(route.params, route.query),
      responses: { '200': { description: 'The bytes' }, ...refusals(route.rule) },
    })
  }
  return {
    openapi: '3.1.0',
    info: { title: `${product} API`, version: '1', description: `Calls of the ${product} server.` },
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Failure: failureSchema },
    },
    paths,
  }
}
