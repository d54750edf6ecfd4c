/** Finds functions of the source that are longer than a screen. */
import { parseSync } from 'oxc-parser'
import type { SourceFile } from './source-tree.ts'

export interface LongFunction {
  path: string
  /** '' for a function without a name. */
  name: string
  lines: number
}

interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

function nameIn(value: unknown): string {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'
    ? value.name
    : ''
}

/** Functions of more than `limit` lines; the lines of inner functions count, too. */
export function longFunctions({ path, text }: Pick<SourceFile, 'path' | 'text'>, limit = 100): LongFunction[] {
  const found: LongFunction[] = []
  function walk(value: unknown, name: string) {
    if (Array.isArray(value)) {
      for (const inner of value) walk(inner, name)
      return
    }
    if (!isNode(value)) return
    const isFunction = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(value.type)
    const own = isFunction
      ? nameIn(value.id) || name
      : nameIn(value.type === 'VariableDeclarator' ? value.id : value.key) || name
    if (isFunction) {
      const lines = text.slice(value.start, value.end).split('\n').length
      if (lines > limit) found.push({ path, name: own, lines })
    }
    for (const inner of Object.values(value)) walk(inner, isFunction ? '' : own)
  }
  walk(parseSync(path, text).program, '')
  return found
}
