/** Finds texts of the pages that are in JSX instead of the catalogue in `web/texts`. */
import { parseSync } from 'oxc-parser'
import type { SourceFile } from './source-tree.ts'

interface Node {
  type: string
  start: number
  [key: string]: unknown
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

const word = /\p{L}/u

/** Attributes whose text users see or hear. */
const textAttributes =
  /^(alt|title|heading|message|placeholder|label|text|hint|caption|action|fault|empty|aria-(label|valuetext|description|roledescription))$/

/** The strings that an expression can result in. Of calls, it follows `String(…)` and methods of strings and arrays. */
function stringsOf(value: unknown): string[] {
  if (!isNode(value)) return []
  switch (value.type) {
    case 'Literal':
      return typeof value.value === 'string' ? [value.value] : []
    case 'TemplateLiteral':
      return (value.quasis as { value: { cooked: string } }[]).map(quasi => quasi.value.cooked)
    case 'ConditionalExpression':
      return [...stringsOf(value.consequent), ...stringsOf(value.alternate)]
    case 'BinaryExpression':
      return value.operator === '+' ? [...stringsOf(value.left), ...stringsOf(value.right)] : []
    case 'LogicalExpression':
      return [...stringsOf(value.left), ...stringsOf(value.right)]
    case 'ArrayExpression':
      return (value.elements as unknown[]).flatMap(stringsOf)
    case 'CallExpression': {
      const { callee } = value
      if (!isNode(callee)) return []
      if (callee.type === 'MemberExpression') return stringsOf(callee.object)
      return callee.name === 'String' ? (value.arguments as unknown[]).flatMap(stringsOf) : []
    }
    case 'JSXExpressionContainer':
      return stringsOf(value.expression)
    default:
      return []
  }
}

/** 'path:line "text"' of every text in JSX that users would read. */
export function textsInJsx({ path, text }: Pick<SourceFile, 'path' | 'text'>): string[] {
  const found: string[] = []
  const add = ({ start }: Node, texts: readonly string[]) => {
    const line = text.slice(0, start).split('\n').length
    for (const one of texts) if (word.test(one)) found.push(`${path}:${line} "${one.trim()}"`)
  }
  function walk(value: unknown) {
    if (Array.isArray(value)) {
      for (const inner of value) walk(inner)
      return
    }
    if (!isNode(value)) return
    if (value.type === 'JSXText') add(value, [String(value.value)])
    if (value.type === 'JSXAttribute' && isNode(value.name) && textAttributes.test(String(value.name.name))) {
      add(value, stringsOf(value.value))
    }
    if (value.type === 'JSXElement' || value.type === 'JSXFragment') {
      for (const child of value.children as Node[]) {
        if (child.type === 'JSXExpressionContainer') add(child, stringsOf(child))
      }
    }
    for (const inner of Object.values(value)) walk(inner)
  }
  walk(parseSync(path, text).program)
  return found
}
