/** Writes XML elements as text: escaped, indented, with the namespaces that the target does not declare. */

import type { Scope } from '../xmp/xml.ts'
import { namespaceOf } from '../xmp/xmp.ts'

/** Names are 'prefix:Name' under the usual prefixes. */
export interface XmlNode {
  name: string
  attributes?: readonly (readonly [name: string, value: string])[]
  /** Children; an element has either these or a text. */
  children?: readonly XmlNode[]
  text?: string
}

/** Characters that a file can hold: no control characters except line breaks and tabs, no non-characters. */
export function fileText(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot represent these control characters
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/g, '')
      .trim()
  )
}

const references: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

/** Escapes a text; also carriage returns, which would be read as line feeds. */
function escapeText(text: string): string {
  return text.replace(/[&<>]/g, mark => references[mark] ?? mark).replaceAll('\r', '&#xD;')
}

/** Escapes an attribute, in which any white space would be read as blanks. */
export function escapeAttribute(text: string): string {
  return text
    .replace(/[&<>"']/g, mark => references[mark] ?? mark)
    .replace(/[\t\n\r]/g, mark => `&#x${mark.charCodeAt(0).toString(16).toUpperCase()};`)
}

/** Writes a node as text within a scope. `indent` is the white space before it; children get more. */
export function writeNode(node: XmlNode, scope: Scope, indent: string): string {
  const declared = new Map<string, string>()
  const named = (name: string) => nameFor(name, scope, declared)
  const body = write(node, named, indent)
  // All declarations go into the node's own start tag, after its name.
  const declarations = [...declared].map(([prefix, space]) => ` xmlns:${prefix}="${space}"`).join('')
  const tag = `<${named(node.name)}`
  return `${tag}${declarations}${body.slice(tag.length)}`
}

function write(node: XmlNode, named: (name: string) => string, indent: string): string {
  const tag = named(node.name)
  const attributes = (node.attributes ?? [])
    .map(([name, value]) => ` ${named(name)}="${escapeAttribute(fileText(value))}"`)
    .join('')
  const children = node.children ?? []
  if (children.length > 0) {
    const inner = children.map(child => `${indent} ${write(child, named, `${indent} `)}`).join('')
    return `<${tag}${attributes}>${inner}${indent}</${tag}>`
  }
  const text = node.text === undefined ? '' : escapeText(fileText(node.text))
  return text === '' ? `<${tag}${attributes}/>` : `<${tag}${attributes}>${text}</${tag}>`
}

function nameFor(name: string, scope: Scope, declared: Map<string, string>): string {
  const colon = name.indexOf(':')
  const usual = name.slice(0, colon)
  const local = name.slice(colon + 1)
  if (usual === 'xml') return name
  const space = namespaceOf(usual)
  for (const [prefix, known] of declared) if (known === space) return `${prefix}:${local}`
  if (scope.get(usual) === space) return name
  for (const [prefix, known] of scope)
    if (known === space && /^[A-Za-z_][\w.-]*$/.test(prefix)) return `${prefix}:${local}`
  let prefix = usual
  for (let n = 1; scope.has(prefix); n++) prefix = `${usual}${n}`
  declared.set(prefix, space)
  return `${prefix}:${local}`
}
