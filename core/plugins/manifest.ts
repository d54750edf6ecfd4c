/** `plugin.json`: the manifest of a plugin. */
import { z } from 'zod'
import { type OptionType, optionType } from '../../schema/api/plugins.ts'
import { Failure, sentence } from '../../schema/errors.ts'

/** Names of folders, files, elements, methods and options. None of them can contain a path. */
export const folderName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/
const fileName = z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,199}$/, 'is the name of a file in the plugin’s folder')
const elementName = z.string().regex(/^[A-Za-z][A-Za-z0-9-]{0,99}$/, 'is a name of letters, digits and -')
const methodName = /^[A-Za-z][A-Za-z0-9]{0,99}$/
const optionName = /^[A-Za-z][A-Za-z0-9_-]{0,99}$/

/** Who may call a method. */
const who = z.enum(['all', 'signedIn', 'anyUpdate', 'globalAdmin'])

const method = z.strictObject({ who: who.default('signedIn'), long: z.boolean().default(false) })
export type Method = z.output<typeof method>

interface OptionGroup {
  [key: string]: OptionType | OptionGroup
}

function isType(option: OptionType | OptionGroup): option is OptionType {
  return typeof option.type === 'string'
}

const leaf = optionType.strict().superRefine((type, context) => {
  const issue = (message: string) => context.addIssue({ code: 'custom', message })
  if (type.type === 'choice' && (type.choices === undefined || type.choices.length === 0)) issue('choice needs choices')
  if (type.secret === true && type.type !== 'string') issue('only a string can be secret')
  if (type.secret === true && type.default !== undefined) issue('a secret has no default')
  if (type.default === undefined) return
  if (type.type === 'choice') {
    if (typeof type.default !== 'string' || type.choices?.includes(type.default) !== true)
      issue('the default is none of the choices')
  } else if (typeof type.default !== type.type) issue(`the default is no ${type.type}`)
})

const group: z.ZodType<OptionGroup> = z.lazy(() =>
  z.record(z.string().regex(optionName, 'is a name of letters, digits, _ and -'), option),
)
/** An object whose `type` is a text is an option; any other object is a group of options. */
const option: z.ZodType<OptionType | OptionGroup> = z.lazy(() =>
  z.unknown().transform((value, context): OptionType | OptionGroup => {
    const isLeaf = typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
    const parsed = isLeaf ? leaf.safeParse(value) : group.safeParse(value)
    if (parsed.success) return parsed.data
    for (const { message, path } of parsed.error.issues) context.addIssue({ code: 'custom', message, path })
    return z.NEVER
  }),
)

function flattened(tree: OptionGroup, prefix = ''): [string, OptionType][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    isType(value) ? [[prefix + key, value] as [string, OptionType]] : flattened(value, `${prefix}${key}.`),
  )
}

const manifest = z.strictObject({
  name: z.string().trim().min(1).max(100),
  description: z.string().max(1000).default(''),
  version: z.string().trim().min(1).max(50),
  elements: z
    // The first file of each is the module that the page loads.
    .array(z.strictObject({ name: elementName, files: z.array(fileName).min(1).max(100) }))
    .max(50)
    .default([]),
  options: group.default({}),
  /** The module in the plugin's folder that has the methods. */
  server: fileName.optional(),
  /** Methods that take long or have a rule of their own. All signed-in users may call any other method. */
  methods: z.record(z.string().regex(methodName, 'is a name of letters and digits'), method).default({}),
})

/** Parses a manifest; throws `invalid` with what is wrong, and where. */
export function parseManifest(text: string) {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Failure('invalid', 'plugin.json is not JSON.')
  }
  const parsed = manifest.safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const path = issue?.path.map(String).join('.') ?? ''
    throw new Failure(
      'invalid',
      sentence`plugin.json: ${path === '' ? '' : `${path}: `}${issue?.message ?? 'is not valid'}`,
    )
  }
  const { options, server, methods, elements, ...words } = parsed.data
  const repeated = elements.find(({ name }, n) => elements.findIndex(other => other.name === name) !== n)
  if (repeated !== undefined)
    throw new Failure('invalid', sentence`plugin.json: there are two elements '${repeated.name}'.`)
  return {
    ...words,
    elements,
    // By dotted name, in the manifest's order.
    options: new Map(flattened(options)),
    server: server ?? null,
    methods: new Map(Object.entries(methods)),
  }
}

export type PluginManifest = ReturnType<typeof parseManifest>
