/** Plugins: the installed ones, whether they are active, and their options. */
import { z } from 'zod'
import { byId, endpoint } from './contract.ts'

export type OptionValue = string | number | boolean
export interface OptionTree {
  [key: string]: OptionValue | OptionTree
}

const optionValue: z.ZodType<OptionValue | OptionTree> = z.lazy(() =>
  z.union([z.string().max(10_000), z.number(), z.boolean(), z.record(z.string().max(100), optionValue)]),
)
const optionTree: z.ZodType<OptionTree> = z.record(z.string().max(100), optionValue)

/** The type of an option. Secret options can be set but not read. */
export const optionType = z.object({
  type: z.enum(['string', 'number', 'boolean', 'choice']),
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
  label: z.string().max(200).optional(),
  choices: z.array(z.string()).optional(),
  secret: z.boolean().optional(),
})
export type OptionType = z.output<typeof optionType>

export const plugin = z.object({
  id: z.int(),
  /** Name of its folder, by which RPC calls it. */
  module: z.string(),
  name: z.string(),
  description: z.string(),
  version: z.string(),
  active: z.boolean(),
  /** Names of the page elements that it adds, with the files to load. */
  elements: z.array(z.object({ name: z.string(), files: z.array(z.string()) })),
  /** Values of its options without secrets, for global admins; empty for others. */
  options: optionTree,
  /** Whether it has methods on the server. */
  server: z.boolean(),
  problem: z.string().nullable(),
  /** Changes when one of its files changes; part of the files' addresses. */
  reloads: z.string(),
})
export type Plugin = z.output<typeof plugin>

export const pluginOptions = z.object({
  types: z.record(z.string(), optionType),
  /** Values without secrets. */
  values: optionTree,
  /** Names of secret options that have a value. */
  secrets: z.array(z.string()),
})
export type PluginOptions = z.output<typeof pluginOptions>

/** Address of a file that a plugin adds to the page. */
export function pluginFileAddress(
  { id, reloads }: Pick<Plugin, 'id' | 'reloads'>,
  element: string,
  file: string,
  base = '',
): string {
  return `${base}/v1/plugin/${id}/file/${element}/${file}?v=${reloads}`
}

const admin = { who: 'globalAdmin', refused: [401, 403, 404] } as const

export const pluginCalls = {
  list: endpoint('GET /v1/plugin/list', {
    summary: 'Active plugins; all installed ones for global admins.',
    rule: { who: 'all', refused: [] },
    output: z.array(plugin),
  }),
  options: endpoint('GET /v1/plugin/:id/options', {
    summary: 'Options of a plugin with their types.',
    rule: { ...admin, refused: [401, 403, 404, 409] },
    params: byId,
    output: pluginOptions,
  }),
  setOptions: endpoint('PUT /v1/plugin/:id/options', {
    summary: 'Sets the given options.',
    rule: { ...admin, refused: [400, 401, 403, 404, 409] },
    params: byId,
    body: z.object({ options: optionTree }),
    output: pluginOptions,
    dryRun: true,
  }),
  toggle: endpoint('POST /v1/plugin/:id/toggle', {
    summary: 'Switch a plugin on or off.',
    rule: { ...admin, refused: [400, 401, 403, 404, 409] },
    params: byId,
    body: z.object({ active: z.boolean().optional() }),
    output: plugin,
    dryRun: true,
  }),
}
