/** Completions of arguments and flags that the parser accepts as any text: settings, screens, tag sets, fields. */
import type { CommandNode } from './command-tree.ts'

/** Words by command and argument (its index) or flag: 'config get' 0, 'item list' --fields. */
type Words = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

/** Flags that take several words, joined by commas. */
const listFlags: Readonly<Record<string, readonly string[]>> = { 'item list': ['--fields'] }

/** Imports these modules only when a completion script is generated: other commands do not load them. */
async function allWords(): Promise<Words> {
  const { settingNames } = await import('../schema/settings.ts')
  const { screens } = await import('../ink-tui/screens.ts')
  const { fieldNames } = await import('./items/item-fields.ts')
  const { tagSetNames } = await import('../schema/limits.ts')
  const { listTags } = await import('../core/editing/tag-input.ts')
  const { auditActions, auditKindNames } = await import('../schema/api/audit.ts')
  const firstArgument = (names: Iterable<string>) => ({ 0: [...names].map(name => name.toLowerCase()) })
  return {
    'config get': { 0: ['data', ...settingNames] },
    'config set': { 0: settingNames },
    'config unset': { 0: settingNames },
    tui: { 0: screens.filter(({ inner }) => !inner).map(({ name }) => name) },
    'item tag add': firstArgument(listTags),
    'item tag remove': firstArgument(listTags),
    'item tag set': firstArgument(tagSetNames),
    'item list': { '--fields': fieldNames },
    audit: { '--action': [...auditKindNames, ...auditActions] },
  }
}

export async function withWords(root: CommandNode): Promise<CommandNode> {
  const words = await allWords()
  const addWords = (node: CommandNode): CommandNode => {
    const path = node.name.split(' ').slice(1).join(' ')
    const ofCommand = words[path] ?? {}
    return {
      ...node,
      args: node.args.map((argument, place) => ({ ...argument, choices: ofCommand[place] ?? argument.choices })),
      flags: node.flags.map(flag => ({
        ...flag,
        choices: flag.names.map(name => ofCommand[name]).find(found => found !== undefined) ?? flag.choices,
        joined: flag.names.some(name => listFlags[path]?.includes(name) === true),
      })),
      inner: node.inner.map(addWords),
    }
  }
  return addWords(root)
}
