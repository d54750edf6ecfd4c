import { expect, test } from 'bun:test'
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openLibrary } from '../../../core/library.ts'
import { cleanEnvironment, programCommand } from '../../support/command.ts'
import { isLong } from '../../support/long.ts'
import { libraryContents, openScanningLibrary, picture, takenAt } from '../../support/scanning-library.ts'

/**
 * Scans in another process and kills it when the library has this many items, or at once for -1. Returns whether the
 * scan was still running.
 */
async function scanKilledAfter(data: string, root: string, items: number): Promise<boolean> {
  const child = Bun.spawn([...programCommand(), '--data', data, 'scan', root], {
    stdout: 'ignore',
    stderr: 'inherit',
    env: cleanEnvironment(),
  })
  const deadline = performance.now() + 20_000
  let killed = false
  while (child.exitCode === null && performance.now() < deadline) {
    const done = itemCount(data)
    if (done >= items) {
      child.kill('SIGKILL')
      killed = true
      break
    }
    await Bun.sleep(1)
  }
  await child.exited
  return killed
}

/** The number of items; -1 if there is no library yet. */
function itemCount(data: string): number {
  try {
    const library = openLibrary({ role: 'terminal', data, create: false, environment: {}, stderrLevel: 'none' })
    const n = library.db.get<{ n: number }>('SELECT count(*) AS n FROM items')?.n ?? 0
    library.close()
    return n
  } catch {
    return -1
  }
}

test('a scan that was killed and repeated gives the same library as an uninterrupted one', async () => {
  const whole = openScanningLibrary()
  for (let n = 0; n < 80; n++) {
    const exif = takenAt(
      `20${String(10 + (n % 9))}-0${1 + (n % 9)}-1${n % 10} 10:00:${String(n % 60).padStart(2, '0')}`,
    )
    whole.put(`${n % 4}/${n}.jpg`, await picture({ seed: n, exif }))
  }
  whole.put('0/broken.jpg', 'no picture')
  await whole.scan()
  const expected = libraryContents(whole)

  for (const after of isLong ? [-1, 0, 1, 20, 60] : [-1, 1, 20]) {
    const data = `${whole.data}-killed-${after}`
    expect(await scanKilledAfter(data, whole.root, after)).toBe(true)
    const child = Bun.spawn([...programCommand(), '--data', data, 'scan', whole.root], {
      stdout: 'ignore',
      stderr: 'ignore',
      env: cleanEnvironment(),
    })
    expect(await child.exited).toBe(3)
    const library = openLibrary({ role: 'terminal', data, create: false, environment: {}, stderrLevel: 'none' })
    expect(libraryContents({ library })).toEqual(expected)
    expect(library.db.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' })
    expect(library.db.all('PRAGMA foreign_key_check')).toEqual([])
    library.close()
    const left = readdirSync(join(data, 'cache'), { recursive: true }).filter(name => String(name).includes('.tmp'))
    // A killed process may leave a few temporary files, which a later start removes.
    expect(left.length).toBeLessThanOrEqual(8)
  }
}, 120_000)

test('a killed scan of moved, removed and added files gives the same library when repeated', async () => {
  const before = openScanningLibrary()
  for (let n = 0; n < 60; n++) before.put(`${n % 3}/${n}.jpg`, await picture({ seed: n }))
  const copies = ['whole', 'killed'].map(name => `${before.data}-${name}`)
  for (const data of copies) {
    const child = Bun.spawn([...programCommand(), '--data', data, 'scan', before.root], {
      stdout: 'ignore',
      stderr: 'inherit',
      env: cleanEnvironment(),
    })
    expect(await child.exited).toBe(0)
  }
  renameSync(join(before.root, '0'), join(before.root, 'moved'))
  rmSync(join(before.root, '1/1.jpg'))
  for (let n = 60; n < 90; n++) writeFileSync(join(before.root, '2', `${n}.jpg`), await picture({ seed: n }))
  const [whole = '', killed = ''] = copies
  expect(await scanKilledAfter(killed, before.root, 62)).toBe(true)
  const results = []
  for (const data of [whole, killed]) {
    const child = Bun.spawn([...programCommand(), '--data', data, 'scan', before.root], {
      stdout: 'ignore',
      stderr: 'inherit',
      env: cleanEnvironment(),
    })
    expect(await child.exited).toBe(0)
    const library = openLibrary({ role: 'terminal', data, create: false, environment: {}, stderrLevel: 'none' })
    results.push(libraryContents({ library }))
    library.close()
  }
  expect(results[1]).toEqual(results[0])
}, 120_000)
