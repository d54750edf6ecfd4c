/** What a page needs before anything else. */
import { z } from 'zod'
import { endpoint } from './contract.ts'

export const runtimeConfig = z.object({
  /** Base addresses, '' for where the page came from. */
  api: z.string(),
  websocket: z.string(),
  mapbox_token: z.string(),
  /** 'first': nobody has an account yet, the next registration becomes global admin. */
  registration: z.enum(['first', 'open', 'closed']),
  /** 'YYYY-MM-DD' of this build. */
  built: z.string(),
  version: z.string(),
})
export type RuntimeConfig = z.output<typeof runtimeConfig>

export const systemCalls = {
  runtime: endpoint({
    method: 'GET',
    path: '/config/runtime.json',
    summary: 'Addresses and settings of the web page.',
    rule: { who: 'all', refused: [] },
    output: runtimeConfig,
  }),
}
