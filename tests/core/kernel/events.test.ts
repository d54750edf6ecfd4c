import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { openDatabase, terminalWaiting } from '../../../core/kernel/database/database.ts'
import { eventsAfter, followEvents, type LibraryEvent, newestEvent, pruneEvents } from '../../../core/kernel/events.ts'
import { silentLog } from '../../../core/kernel/log.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { temporaryDirectory } from '../../support/temporary.ts'

const actor = { userId: null }

test('events of another process arrive once and in order', async () => {
  const path = join(temporaryDirectory(), 'library.db')
  const clock = fakeClock()
  const reader = openDatabase(path, { waiting: terminalWaiting, clock })
  const script = `
    import { openDatabase, terminalWaiting } from ${JSON.stringify(join(import.meta.dir, '../../../core/kernel/database/database.ts'))}
    import { systemClock } from ${JSON.stringify(join(import.meta.dir, '../../../core/kernel/clock.ts'))}
    const db = openDatabase(${JSON.stringify(path)}, { waiting: terminalWaiting, clock: systemClock })
    for (let n = 1; n <= 20; n++) await db.transact({ userId: null }, tx => tx.event('collection-' + n, { action: 'update' }))
    db.close()`
  const seen: LibraryEvent[] = []
  const all = Promise.withResolvers<void>()
  const follower = followEvents(
    reader,
    events => {
      seen.push(...events)
      if (seen.length >= 20) all.resolve()
    },
    { log: silentLog, everyMs: 200 },
  )
  const writer = Bun.spawn([process.execPath, '-e', script], { stderr: 'inherit' })
  expect(await writer.exited).toBe(0)
  await all.promise
  expect(seen.map(event => event.channel)).toEqual(Array.from({ length: 20 }, (_, n) => `collection-${n + 1}`))
  follower.close()
  reader.close()
})

test('events of this process arrive immediately', async () => {
  const db = openDatabase(':memory:', { waiting: terminalWaiting, clock: fakeClock() })
  const seen: string[] = []
  const follower = followEvents(db, events => seen.push(...events.map(event => event.channel)), { log: silentLog })
  await db.transact(actor, tx => tx.event('keystring-0', { action: 'update' }))
  expect(seen).toEqual(['keystring-0'])
  follower.close()
  db.close()
})

test('a client that reconnects gets missed events, or null if they were pruned', async () => {
  const clock = fakeClock()
  const db = openDatabase(':memory:', { waiting: terminalWaiting, clock })
  for (let n = 1; n <= 3; n++) await db.transact(actor, tx => tx.event(`collection-${n}`, { action: 'update' }))
  expect(eventsAfter(db, 1)?.map(event => event.id)).toEqual([2, 3])
  expect(eventsAfter(db, 3)).toEqual([])
  clock.advance(3601)
  await pruneEvents(db, clock.now())
  expect(newestEvent(db)).toBe(3)
  expect(eventsAfter(db, 1)).toBeNull()
  expect(eventsAfter(db, 3)).toEqual([])
  db.close()
})
