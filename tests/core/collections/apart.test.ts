import { describe, expect, test } from 'bun:test'
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { openLibrary } from '../../../core/library.ts'
import type { Role } from '../../../core/opening.ts'
import { Failure } from '../../../schema/errors.ts'
import { temporaryDirectory } from '../../support/temporary.ts'

function open(data: string, roots: string[], role: Role = 'server') {
  return openLibrary({ role, data, create: true, environment: {}, flags: { roots }, stderrLevel: 'none' })
}

function refusal(work: () => { close(): void }): { code: string; message: string; field: string | undefined } {
  try {
    work().close()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { code: error.code, message: error.message, field: error.field }
  }
  throw new Error('nothing was refused')
}

describe('a root of the file manager', () => {
  const directory = temporaryDirectory()
  const home = join(directory, 'home')
  const data = join(home, 'data')
  mkdirSync(join(data, 'cache', 'inner'), { recursive: true })
  mkdirSync(join(home, 'pictures'))
  symlinkSync(home, join(directory, 'linked home'))
  symlinkSync('data', join(home, 'linked data'))

  test.each([
    ['is the data directory', data],
    ['contains the data directory', home],
    ['is the root of the file system', '/'],
    ['is within the data directory', join(data, 'cache')],
    ['does not exist, but would be within the data directory', join(data, 'new', 'folder')],
    ['contains the data directory through a link', join(directory, 'linked home')],
    ['is a link to the data directory', join(home, 'linked data')],
    ['is within the data directory through a link', join(home, 'linked data', 'cache', 'inner')],
    ['contains the data directory through dots', join(home, 'pictures', '..')],
  ])('that %s prevents the server from starting', (_, root) => {
    const { code, message, field } = refusal(() => open(data, [join(home, 'pictures'), root]))
    expect({ code, field }).toEqual({ code: 'conflict', field: 'roots' })
    expect(message).toBe(
      `Setting 'roots' (flag --roots): ${root} and the data directory ${data} must not lie within each other. Name another folder, or keep the data elsewhere: --data DIR.`,
    )
  })

  test('outside the data directory is allowed, even if it does not exist', () => {
    open(data, [join(home, 'pictures'), join(home, 'nothing'), join(directory, 'home-like')]).close()
  })

  test('that contains the data directory does not prevent terminal commands', () => {
    open(data, [home], 'terminal').close()
  })

  test('that is set in the configuration file is refused with the name of that file', () => {
    writeFileSync(join(data, 'config.toml'), `roots = [${JSON.stringify(home)}]\n`)
    const { message } = refusal(() =>
      openLibrary({ role: 'server', data, create: true, environment: {}, stderrLevel: 'none' }),
    )
    expect(message).toStartWith(`Setting 'roots' (${join(data, 'config.toml')}): ${home} and the data directory`)
  })
})

describe('a data directory that was moved', () => {
  for (const [what, paths] of [
    ['directory', { path: 'pictures' }],
    ['variants path', { path: 'other', pathVariant: 'pictures' }],
  ] as const) {
    test(`into the ${what} of a collection prevents the server from starting`, async () => {
      const directory = temporaryDirectory()
      const at = (name: string) => join(directory, name)
      for (const name of ['pictures', 'other']) mkdirSync(at(name))
      const library = open(at('data'), [])
      const variants = 'pathVariant' in paths ? { pathVariant: at(paths.pathVariant) } : {}
      await library.collections.create(terminalViewer, { name: 'Summer', path: at(paths.path), ...variants })
      library.close()
      const data = at(join('pictures', 'data'))
      renameSync(at('data'), data)
      expect(refusal(() => open(data, []))).toEqual({
        code: 'conflict',
        field: undefined,
        message: `The collection 'Summer' (${at('pictures')}) and the data directory ${data} must not lie within each other. Keep the data elsewhere: --data DIR.`,
      })
    })
  }
})
