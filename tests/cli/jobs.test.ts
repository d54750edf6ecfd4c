import { expect, test } from 'bun:test'
import { openFullShellWorkspace } from '../support/shell-workspace.ts'

test('jobs watch exits with the code of the command that runs the job', async () => {
  const workspace = await openFullShellWorkspace()
  const last = async (line: string) => {
    const { code, objects } = await workspace.sh(`keepsake ${line} --json`)
    return { code, ...objects.at(-1) }
  }
  const newest = async () => (await workspace.sh('keepsake jobs --all --json')).objects[0]?.id
  await workspace.sh('keepsake scan ~/Pictures --quiet')
  expect(await last(`jobs watch ${await newest()}`)).toMatchObject({ code: 0, state: 'done', jobs: 1, failed: 0 })
  await workspace.sh('mv ~/Pictures ~/Away; mkdir ~/Pictures')
  expect((await workspace.sh('keepsake scan Pictures')).code).toBe(7)
  expect(await last(`jobs watch ${await newest()}`)).toMatchObject({ code: 7, state: 'stopped', stopped: 1 })
  await workspace.sh('rmdir ~/Pictures; mv ~/Away ~/Pictures')
  // No process runs this job, so it waits until it is cancelled.
  const { Database } = await import('bun:sqlite')
  const db = new Database(`${workspace.data}/library.db`)
  db.run(
    "INSERT INTO jobs (kind, input, state, owner, lease_until, created_at) VALUES ('duplicates', '{}', 'queued', NULL, 0, 1)",
  )
  db.close()
  const id = await newest()
  expect(await last(`jobs watch ${id}`)).toMatchObject({ code: 11, state: 'busy', waiting: true })
  expect((await workspace.sh(`keepsake jobs cancel ${id}`)).code).toBe(0)
  expect(await last(`jobs watch ${id}`)).toMatchObject({ code: 130, state: 'interrupted', cancelled: 1 })
}, 120_000)
