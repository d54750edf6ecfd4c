/** The table of all calls. */
import { collectionCalls } from './collections.ts'
import { itemCalls } from './items.ts'
import { jobCalls } from './jobs.ts'
import { systemCalls } from './system.ts'
import { userCalls } from './users.ts'

export const calls = {
  system: systemCalls,
  users: userCalls,
  collections: collectionCalls,
  items: itemCalls,
  jobs: jobCalls,
}
export type Calls = typeof calls
