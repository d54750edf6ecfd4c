/** A home directory with the program in PATH and, if wanted, pictures, for tests that type commands into a shell. */
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type CommandResult, cleanEnvironment, programCommand } from './command.ts'
import { picture, takenAt } from './scanning-library.ts'
import { temporaryDirectory } from './temporary.ts'

/** An XMP sidecar with people and keywords. */
export function sidecar(people: readonly string[], keywords: readonly string[] = []): string {
  const bag = (name: string, list: readonly string[]) =>
    `<${name}><rdf:Bag>${list.map(one => `<rdf:li>${one}</rdf:li>`).join('')}</rdf:Bag></${name}>`
  return `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/">
${bag('Iptc4xmpExt:PersonInImage', people)}${bag('dc:subject', keywords)}
</rdf:Description></rdf:RDF></x:xmpmeta>`
}

export interface ShellWorkspace {
  home: string
  /** The data directory. */
  data: string
  /** Writes a file below the home directory. */
  put(path: string, bytes: Uint8Array | string): void
  at(path: string): string
  /** The shell's environment, for other programs. */
  environment: Record<string, string>
  /** Runs a line in a shell. */
  sh(line: string, environment?: Record<string, string>): Promise<CommandResult>
}

/** A shell in an empty home directory. */
export function openShellWorkspace(): ShellWorkspace {
  const home = temporaryDirectory()
  const at = (path: string) => join(home, path)
  const put = (path: string, bytes: Uint8Array | string) => {
    mkdirSync(dirname(at(path)), { recursive: true })
    writeFileSync(at(path), bytes)
  }
  put(
    'bin/keepsake',
    `#!/bin/sh\nexec ${programCommand()
      .map(word => `'${word}'`)
      .join(' ')} "$@"\n`,
  )
  chmodSync(at('bin/keepsake'), 0o755)
  const clean = cleanEnvironment({ HOME: home, PATH: `${at('bin')}:${process.env.PATH ?? ''}`, TZ: 'UTC' })
  delete clean.XDG_DATA_HOME
  async function sh(line: string, environment: Record<string, string> = {}): Promise<CommandResult> {
    const child = Bun.spawn(['/bin/bash', '-o', 'pipefail', '-c', line], {
      cwd: home,
      env: { ...clean, ...environment },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [out, err, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    const objects = out
      .split('\n')
      .filter(text => text.startsWith('{"type"'))
      .map(text => JSON.parse(text))
    return { out, err, code, objects }
  }
  return { home, data: at('.local/share/keepsake'), put, at, environment: clean, sh }
}

/**
 * Returns a prefix that makes file permissions apply to a command: if the tests run as root, it runs the command as the
 * user `nobody`, who becomes the owner of the workspace. Null if `nobody` can't run the program.
 */
export async function asOrdinaryUser(workspace: ShellWorkspace): Promise<string | null> {
  if (process.getuid?.() !== 0) return ''
  const as = 'setpriv --reuid 65534 --clear-groups -- '
  await workspace.sh('chown -R 65534 ~; d=~; while [ "$d" != / ]; do chmod a+x "$d"; d=$(dirname "$d"); done')
  return (await workspace.sh(`${as}keepsake --version`)).code === 0 ? as : null
}

/** A shell workspace with pictures, a memory card, an archive and a plugin; nothing is scanned yet. */
export async function openFullShellWorkspace(): Promise<ShellWorkspace> {
  const workspace = openShellWorkspace()
  const { put } = workspace
  put('Pictures/2019/beach.jpg', await picture({ seed: 1, exif: takenAt('2019-08-03 14:22:33') }))
  put('Pictures/2019/beach.jpg.xmp', sidecar(['Anna', 'Ben'], ['Holiday']))
  put('Pictures/2019/sea.jpg', await picture({ seed: 2, exif: takenAt('2019-08-04 10:00:00') }))
  put('Pictures/2019/sea.jpg.xmp', sidecar(['Annie'], ['Seaside']))
  put('Pictures/2021/hills.jpg', await picture({ seed: 3, exif: takenAt('2021-05-06 07:08:09') }))
  put('Archive/.keep', '')
  put('Card/new.jpg', await picture({ seed: 4, exif: takenAt('2022-01-02 03:04:05') }))
  cpSync(join(import.meta.dir, '../../plugins/sample-statistics'), join(workspace.data, 'plugins/sample-statistics'), {
    recursive: true,
  })
  return workspace
}
