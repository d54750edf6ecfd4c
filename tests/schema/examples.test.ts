import { describe, expect, test } from 'bun:test'
import { z } from 'zod'
import { calls } from '../../schema/api/calls.ts'
import type { Endpoint } from '../../schema/api/contract.ts'
import { exampleOf } from '../../schema/api/reference/examples.ts'
import { ruleText } from '../../schema/api/reference/rule-text.ts'

const all = Object.entries(calls).flatMap(([group, table]) =>
  Object.entries<Endpoint>(table).map(([name, call]) => ({ name: `${group}.${name}`, call })),
)

function faults(parsed: { success: boolean; error?: z.ZodError | undefined }): string[] {
  return (parsed.error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`)
}

describe('examples', () => {
  for (const { name, call } of all) {
    test(`of ${name} match the schemas of the call`, () => {
      for (const part of ['params', 'query', 'body'] as const) {
        expect({ part, faults: faults(z.safeDecode(call[part], exampleOf(call[part]) as never)) }).toEqual({
          part,
          faults: [],
        })
      }
      expect(faults(call.output.safeParse(exampleOf(call.output, 'output')))).toEqual([])
    })
  }

  test('every rule reads as a sentence', () => {
    for (const { call } of all) expect(ruleText(call.rule)).toMatch(/^[A-Z].*\.$/)
  })
})
