/** `bun tests/support/layer-diagram.ts`: draws the rooms of core from the imports, into ARCHITECTURE.md. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { coreRooms, roomOf } from './import-rules.ts'
import { projectRoot, readSourceTree, type SourceFile } from './source-tree.ts'

/** Room → the rooms of core that it imports from. */
function importedRooms(files: readonly SourceFile[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>(coreRooms.map(room => [room, new Set()]))
  for (const { path, imports } of files) {
    for (const { file } of path.startsWith('core/') ? imports : []) {
      if (file?.startsWith('core/') && roomOf(file) !== roomOf(path)) found.get(roomOf(path))?.add(roomOf(file))
    }
  }
  return found
}

/**
 * One line per floor, the highest first. Each room stands one floor above the highest room that it imports. In brackets
 * stand the rooms that it imports, except those that another of them already reaches by its own imports.
 */
export function roomDiagram(files: readonly SourceFile[]): string {
  const imported = importedRooms(files)
  const floors = new Map<string, number>()
  const reached = new Map<string, Set<string>>()
  for (const room of coreRooms) {
    const below = [...(imported.get(room) ?? [])]
    floors.set(room, Math.max(0, ...below.map(one => (floors.get(one) ?? 0) + 1)))
    reached.set(room, new Set(below.flatMap(one => [one, ...(reached.get(one) ?? [])])))
  }
  const top = Math.max(...floors.values())
  const lines = Array.from({ length: top + 1 }, (_, n) => {
    const rooms = coreRooms.filter(room => floors.get(room) === top - n)
    return rooms.map(room => {
      const below = [...(imported.get(room) ?? [])]
      const direct = below.filter(one => !below.some(other => other !== one && reached.get(other)?.has(one)))
      const named = coreRooms.filter(one => direct.includes(one)).join(', ')
      return room === 'library.ts' ? 'library.ts (all)' : named === '' ? room : `${room} (${named})`
    })
  })
  return lines.map((rooms, n) => `${String(top - n).padStart(2)}  ${rooms.join('   ')}`).join('\n')
}

const block = /(?<=<!-- rooms -->\n```\n)[\s\S]*?(?=```)/

/** The rooms as ARCHITECTURE.md shows them. */
export function diagramIn(text: string): string {
  return block.exec(text)?.[0].trimEnd() ?? ''
}

if (import.meta.main) {
  const path = join(projectRoot, 'ARCHITECTURE.md')
  const text = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    text.replace(block, () => `${roomDiagram(readSourceTree())}\n`),
  )
}
