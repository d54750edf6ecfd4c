/** Refuses malformed addresses before any call sees them. */
import type { Context } from 'hono'
import { Failure, sentence } from '../../schema/errors.ts'

/** Decodes the escapes of a path, which must be UTF-8 (RFC 3986, 2.5). */
function textOf(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    throw new Failure('invalid', 'The URL has escapes that are not UTF-8.')
  }
}

/** Refuses repeated parameters, and control characters in the path, which have fooled routers before. */
export function requireCleanAddress(context: Context): void {
  const path = textOf(context.req.path.replace(/%(?![0-9a-fA-F]{2})/g, '%25'))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(path)) throw new Failure('invalid', 'The URL has control characters.')
  for (const [name, values] of Object.entries(context.req.queries())) {
    if (values.length > 1)
      throw new Failure('invalid', sentence`Parameter '${name}' is given more than once.`, { field: name })
  }
}
