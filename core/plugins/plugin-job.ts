/** A long method of a plugin as a job: it runs in a worker, reports progress, and can be cancelled. */
import { z } from 'zod'
import { channels, type PluginRpc, pluginRpc } from '../../schema/realtime.ts'
import { terminalViewer, type Viewer } from '../accounts/access.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { type JobContext, type JobEnd, type JobKind, jobKind } from '../work/job-kind.ts'
import type { Plugins } from './plugins.ts'

const input = pluginRpc.extend({
  /** The user whose rights the method has; null for the terminal. */
  userId: z.int().nullable(),
})
type Input = z.output<typeof input>

export function pluginJobInput(viewer: Viewer, call: PluginRpc): Input {
  return { ...call, data: call.data ?? null, userId: viewer.userId }
}

export function pluginJob({
  db,
  plugins,
  viewerOf,
}: {
  db: LibraryDatabase
  plugins: Pick<Plugins, 'perform'>
  /** The user with their current rights; null if the account is deleted or disabled. */
  viewerOf(userId: number): Viewer | null
}): JobKind {
  async function run({ jobId, input: { userId, ...call }, progress, signal }: JobContext<Input>): Promise<JobEnd> {
    const viewer = userId === null ? terminalViewer : viewerOf(userId)
    if (viewer === null) throw new Error('the account that started it no longer exists')
    const result = await plugins.perform(viewer, call, { progress, signal })
    signal.throwIfAborted()
    if (userId !== null) {
      // All windows of that user get the result; the job's end is published on its own channel.
      await db.transact({ userId }, tx =>
        tx.event(channels.rpc(String(userId)), {
          action: 'complete',
          job: { id: jobId },
          plugin: { module: call.module, method: call.method, result },
        }),
      )
    }
    return { state: 'done' }
  }

  return jobKind({
    kind: 'plugin',
    input,
    // While a user's job of a method waits or runs, another one is refused.
    lane: ({ module, method, userId }) => `plugin-${module}-${method}-${userId ?? 'terminal'}`,
    afterRestart: 'fail',
    run,
  })
}
