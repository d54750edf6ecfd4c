/** Converts options between a tree and dotted names: `size.width` is `width` in `size`. */
import type { OptionTree, OptionValue } from '../plugins.ts'

/** Flattens a tree to dotted names. */
export function flatOptions(tree: OptionTree, prefix = ''): Map<string, OptionValue> {
  const values = new Map<string, OptionValue>()
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value !== 'object') values.set(prefix + key, value)
    else for (const [name, inner] of flatOptions(value, `${prefix}${key}.`)) values.set(name, inner)
  }
  return values
}

/** Builds the tree of dotted names. */
export function treeOfOptions(values: Iterable<readonly [string, OptionValue]>): OptionTree {
  const tree: OptionTree = {}
  for (const [name, value] of values) {
    const parts = name.split('.')
    const last = parts.pop() ?? name
    let at = tree
    for (const part of parts) {
      const next = Object.hasOwn(at, part) ? at[part] : undefined
      if (typeof next === 'object') at = next
      else {
        const made: OptionTree = {}
        at[part] = made
        at = made
      }
    }
    at[last] = value
  }
  return tree
}
